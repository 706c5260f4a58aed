//! Documents that grow in one respect, to see that the time for a byte does not.

/// A kind of document that grows.
#[derive(Debug, Clone, Copy)]
pub struct Growth {
    /// What there is more and more of.
    pub name: &'static str,
    /// How much of it, from small to large.
    pub sizes: [usize; 5],
    build: fn(usize) -> String,
}

impl Growth {
    /// The document of this size.
    ///
    /// ```
    /// let roots = mcp_roots_benches::GROWTHS[0];
    /// let result = roots.document(32);
    /// assert_eq!(mcp_roots::validate_response(&result).unwrap().roots().len(), 32);
    /// ```
    #[must_use]
    pub fn document(&self, size: usize) -> String {
        (self.build)(size)
    }
}

/// All of them.
pub const GROWTHS: [Growth; 4] = [
    Growth {
        name: "roots",
        sizes: [32, 100, 1000, 10_000, 100_000],
        build: |size| crate::sets::plain_roots(size),
    },
    Growth {
        name: "unknown members of an object",
        sizes: [100, 1000, 10_000, 30_000, 100_000],
        build: |size| crate::sets::member_object(size as u64),
    },
    Growth {
        name: "bytes of a string",
        sizes: [100, 1000, 10_000, 100_000, 1_000_000],
        build: |size| named(&"x".repeat(size)),
    },
    Growth {
        name: "escapes in a string",
        sizes: [100, 1000, 10_000, 100_000, 1_000_000],
        build: |size| named(&r"\n".repeat(size)),
    },
];

/// A root whose name is this.
fn named(name: &str) -> String {
    format!(r#"{{"roots":[{{"uri":"file:///","name":"{name}"}}]}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_grow_with_their_size_and_are_valid() {
        for growth in GROWTHS {
            assert!(growth.sizes.is_sorted(), "{}", growth.name);
            let lengths = growth.sizes.map(|size| {
                let text = growth.document(size);
                assert!(mcp_roots::validate_response(&text).is_ok(), "{} {size}", growth.name);
                text.len()
            });
            assert!(lengths.is_sorted() && lengths[4] > lengths[0] * 500, "{}: {lengths:?}", growth.name);
        }
    }
}
