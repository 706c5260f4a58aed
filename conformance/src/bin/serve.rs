//! Serves until its standard input ends; prints the address first.

use std::io::{self, Read as _, Write as _};

use mcp_roots_conformance::{Server, Strict};

fn main() -> io::Result<()> {
    let server = Server::start(Strict)?;
    let mut out = io::stdout();
    writeln!(out, "{}", server.url())?;
    out.flush()?;
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
