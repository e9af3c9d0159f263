import { UserRound } from 'lucide-react'
import { profilePath } from '#features/people/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { entriesAt, type NavEntry, useNoBadge } from '#web/modules.ts'
import { NavLink } from '#web/NavLink.tsx'
import { shellText } from '#web/shell-text.ts'
import { shownCount } from '#web/ui/Badge.tsx'
import { Icon } from '#web/ui/Icon.tsx'

/** The navigation of phones: icons, with a dot where something is unread. */
export function BottomBar() {
  const say = useText(shellText)
  const me = useMe()
  return (
    <nav className="bottom-bar" aria-label={say.mainShort}>
      {entriesAt('bottomBar', me).map((entry) => (
        <Entry key={entry.to[0]} entry={entry} />
      ))}
      <NavLink to={me ? [profilePath(me)] : ['/login', '/register']} within={/^\/edit$/} label={say.profile}>
        <Icon of={UserRound} size="l" />
      </NavLink>
    </nav>
  )
}

function Entry({ entry }: { entry: NavEntry }) {
  const { to, within, label, icon, useBadgeCount = useNoBadge } = entry
  const say = useText(shellText)
  const name = label[useLang()]
  const count = useBadgeCount()
  return (
    <NavLink
      to={to}
      {...(within && { within })}
      label={count ? `${name}, ${say.unread(shownCount(count))}` : name}
    >
      <Icon of={icon} size="l" />
      {count > 0 && <span className="dot" />}
    </NavLink>
  )
}
