import { toProfilePath } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useOnlineMembersById } from '#web/realtime.ts'
import { appShellText } from '#web/shell-text.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { UserText } from '#web/ui/UserText.tsx'

const MAX_AVATARS = 4
const MAX_LISTED = 100

/**
 * Renders a menu that lists the other members who are online. Its button shows some of their pictures and
 * their number.
 */
export function OnlineMembersMenu() {
  const t = useText(appShellText)
  const me = useMe()
  const others = [...useOnlineMembersById().values()].filter(({ id }) => id !== me?.id)
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
        <Link key={person.id} href={toProfilePath(person)}>
          <Avatar person={person} size="s" />
          <UserText>{person.name}</UserText>
        </Link>
      ))}
    </Menu>
  )
}
