"""The atlas as a folder of static pages, made from the same objects as the command line."""
