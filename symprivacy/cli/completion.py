"""Print what makes a shell complete commands, options and the keys of notions.

bash: eval "$(symprivacy completion bash)"; zsh: the same with zsh; fish: symprivacy completion fish | source"""

from __future__ import annotations

import argparse

from symprivacy.cli import options

EPILOG = """examples:
  symprivacy completion bash >> ~/.bashrc
  symprivacy completion fish > ~/.config/fish/completions/symprivacy.fish

exit codes: 0 success, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="for which shell")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    text = {"bash": bash, "zsh": zsh, "fish": fish}[args.shell]()
    print(options.to_line({"shell": args.shell, "script": text}) if args.json else text)
    return 0


def words() -> dict[str, list[str]]:
    """What may follow each command: its options, and notions where it takes some.

    >>> "--on" in words()["prove"], "KL" in words()["convert"]
    (True, True)
    """
    from symprivacy.cli.help import TOPICS
    from symprivacy.cli.main import COMMANDS, NAMING, parser_of
    from symprivacy.notions import all_notions

    keys = [notion.key for notion in all_notions()]
    found = {}
    for name in COMMANDS:
        own = [option for option in parser_of(name)._option_string_actions if option.startswith("--")]
        found[name] = own + (keys if name in NAMING else [])
    found["help"] += [*COMMANDS, *TOPICS]
    found["completion"] += ["bash", "zsh", "fish"]
    return found


def bash() -> str:
    """A function for bash."""
    known = words()
    cases = "\n".join(f'    {name}) list="{" ".join(own)}" ;;' for name, own in known.items())
    return f"""_symprivacy() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" list=""
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  [ "$COMP_CWORD" -eq 1 ] && list="{" ".join(known)}"
  COMPREPLY=($(compgen -W "$list" -- "$word"))
}}
complete -o default -F _symprivacy symprivacy"""


def zsh() -> str:
    """zsh understands the functions of bash."""
    return "autoload -U +X bashcompinit && bashcompinit\n" + bash()


def fish() -> str:
    """One line for each command, and one for what may follow it."""
    from symprivacy.cli.main import COMMANDS

    lines = ["complete -c symprivacy -f -n __fish_use_subcommand"]
    for name, own in words().items():
        about = COMMANDS[name].replace("'", "")
        lines.append(f"complete -c symprivacy -n __fish_use_subcommand -a {name} -d '{about}'")
        lines.append(f"complete -c symprivacy -n '__fish_seen_subcommand_from {name}' -a '{' '.join(own)}'")
    return "\n".join(lines)
