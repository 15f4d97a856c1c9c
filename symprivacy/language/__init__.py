"""Text, sympy objects and files on one side, the expressions and certificates of the kernel on the other."""
