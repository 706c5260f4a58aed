#!/usr/bin/env bash
# Puts the fuzz targets into $OUT, each with its seeds, dictionary and options, as ClusterFuzzLite and
# OSS-Fuzz expect. Their engine sets SRC, OUT, SANITIZER and the flags of the compilers.
set -euo pipefail
cd "$SRC/mcp-roots"

case "${SANITIZER:-address}" in
    address | memory | thread) sanitizer=${SANITIZER:-address} ;;
    # For coverage the engine's compiler flags do what is needed.
    *) sanitizer=none ;;
esac
cargo fuzz build -s "$sanitizer" --all-features

metadata=$(cargo metadata --format-version 1 --no-deps)
folder=${metadata##*'"target_directory":"'}
folder=${folder%%'"'*}
version=$(rustc -vV)
host=$(sed -n 's/^host: //p' <<<"$version")

archive() {
    if command -v zip >/dev/null; then zip -q -j "$@"; else python3 -m zipfile -c "$@"; fi
}

targets=$(cargo fuzz list)
for target in $targets; do
    cp "$folder/$host/release/$target" "$OUT/"
    # libFuzzer makes its inputs as long as its longest seed: the few long documents are left out.
    options='max_len = 4096'
    if [ -d "corpus/$target" ]; then
        listed=$(find "corpus/$target" -name '*.json' -size +0c -size -4097c)
        mapfile -t seeds <<<"$listed"
        archive "$OUT/${target}_seed_corpus.zip" "${seeds[@]}"
    fi
    if [ -f "fuzz/dictionaries/$target.dict" ]; then
        cp "fuzz/dictionaries/$target.dict" "$OUT/"
        options+=$'\n'"dict = $target.dict"
    fi
    printf '[libfuzzer]\n%s\n' "$options" >"$OUT/$target.options"
done
