"""The engine for browsers: the kernels of search and game as a WebAssembly module.

exports.py      which kernels, for which array types
ir.py           Numba's code of each kernel, before any optimisation for this machine
link.py         one WebAssembly module of them
definitions.py  the same definitions for JavaScript: arguments, records, constants
build.py        the command: `python -m salet.site.wasm.build`, or `make wasm`

data.py         games, words, openers and plans as files that a page can load
"""
