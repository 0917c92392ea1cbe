"""The game as text in the forms that other libraries take, each in a module of its own name.

Every module needs the package that it serves, and an extra of that name. `make adapters` installs
each package in an environment of its own and lets its own loop play.
"""
