import { profilePath } from '#features/people/contract.ts'
import { useText } from './i18n.ts'
import { useMe } from './me.ts'
import * as realtime from './realtime.ts'
import { shellText } from './shell-text.ts'
import { Avatar } from './ui/Avatar.tsx'
import { Link } from './ui/Link.tsx'
import { Menu } from './ui/Menu.tsx'
import { UserText } from './ui/UserText.tsx'

const MAX_AVATARS = 4
const MAX_LISTED = 100

export function OnlineMembers() {
  const t = useText(shellText)
  const me = useMe()
  const others = [...realtime.useOnline().values()].filter(({ id }) => id !== me?.id)
  if (!me || !others.length) return null
  return (
    <Menu
      label={t.onlineLabel}
      renderButton={(props) => (
        <button {...props} className="online-now">
          {others.slice(0, MAX_AVATARS).map((person) => (
            <Avatar key={person.id} person={person} size="s" />
          ))}
          <span className="more">
            <span className="short" aria-hidden="true">
              {others.length}
            </span>
            <span className="whole">{t.onlineCount(others.length)}</span>
          </span>
        </button>
      )}
    >
      {others.slice(0, MAX_LISTED).map((person) => (
        <Link key={person.id} href={profilePath(person)}>
          <Avatar person={person} size="s" />
          <UserText>{person.name}</UserText>
        </Link>
      ))}
    </Menu>
  )
}
