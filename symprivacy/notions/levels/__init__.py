"""How a level is computed exactly: enclosures, rigorous maxima, and one module per kind of definition.

Everything here works on a plain :class:`~symprivacy.notions.levels.channel.Channel` and returns a
:class:`~symprivacy.notions.levels.result.Level`; the records of the parent package only choose among them.
"""
