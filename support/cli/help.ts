import { type Command, Help, type Option } from 'commander'

/** The heading of the flags that the help of `run` and `doctor` shows only with --all. */
export const MORE = 'More flags:'

const isMore = ({ helpGroupHeading }: Option): boolean => helpGroupHeading === MORE

/** The flags that the help shows, those that most people need first. @param all whether it shows all of them */
export const shownFlags = (all: boolean) =>
  function (this: Help, command: Command): Option[] {
    const visible = Help.prototype.visibleOptions.call(this, command)
    const first = visible.filter(each => !isMore(each))
    return all ? [...first, ...visible.filter(isMore)] : first
  }

export const ABOUT_FLAGS = `--help --all shows all flags. Each is also a variable, in the environment or in .env (see .env.example). The API key is
never a flag: set STORE_API_KEY, for staging STORE_STAGING_API_KEY.`
