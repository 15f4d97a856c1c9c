"""Normal forms, and the rewrites by which the kernel sees an identity that they show. Nothing here is trusted."""
