"""The command line; imports of the heavy parts wait until a command needs them."""
