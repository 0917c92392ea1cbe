"""The game as text in the forms that other libraries take, each in a module of its own name.

Every module needs the package that it serves, and an extra of that name. `make adapters` installs
them all beside each other and lets each package's own loop play.
"""
