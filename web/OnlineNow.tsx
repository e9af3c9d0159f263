import { Link } from 'wouter'
import { profilePath } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useHere } from '#web/realtime.ts'
import { shellText } from '#web/shell-text.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { Name } from '#web/ui/Name.tsx'

const MOST_AVATARS = 4
const MOST_LISTED = 100

/** Shows in the page's header who else is online. A click lists them. */
export function OnlineNow() {
  const say = useText(shellText)
  const me = useMe()
  const others = [...useHere().values()].filter(({ id }) => id !== me?.id)
  if (!me || !others.length) return null
  return (
    <Menu
      label={say.hereNowList}
      button={(props) => (
        <button {...props} className="online-now">
          {others.slice(0, MOST_AVATARS).map((person) => (
            <Avatar key={person.id} person={person} size="s" />
          ))}
          <span className="more">
            <span className="short" aria-hidden="true">
              {others.length}
            </span>
            <span className="whole">{say.hereNow(others.length)}</span>
          </span>
        </button>
      )}
    >
      {others.slice(0, MOST_LISTED).map((person) => (
        <Link key={person.id} href={profilePath(person)}>
          <Avatar person={person} size="s" />
          <Name>{person.name}</Name>
        </Link>
      ))}
    </Menu>
  )
}
