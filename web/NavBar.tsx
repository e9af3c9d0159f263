import { ChevronDown, LogIn, UserPlus, UserRound } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Lang } from '#core/contract.ts'
import { type Me, profilePath } from '#features/people/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { entriesAt, type NavEntry, type NavItem, useNoBadge } from '#web/modules.ts'
import { pageData } from '#web/page-data.ts'
import { ReaderSettings } from '#web/ReaderSettings.tsx'
import { scrollToTop } from '#web/scroll.ts'
import { shellText } from '#web/shell-text.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge, shownCount } from '#web/ui/Badge.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Menu, MenuLink } from '#web/ui/Menu.tsx'
import { Name } from '#web/ui/Name.tsx'

interface NavBarProps {
  pending: boolean
  onLang: (lang: Lang) => void
}

export function NavBar({ pending, onLang }: NavBarProps) {
  const say = useText(shellText)
  const me = useMe()
  return (
    <header className="top-bar" data-pending={pending || undefined}>
      <div className="inside">
        <Link className="brand" href="/">
          <Logo />
          <span>{pageData.app.name}</span>
        </Link>
        <nav className="nav-links" aria-label={say.main}>
          {entriesAt('topBar', me).map((entry) => (
            <TopEntry key={entry.to[0]} entry={entry} />
          ))}
          {!me && <VisitorMenu />}
        </nav>
        <div className="acts">{me ? <MemberActions me={me} onLang={onLang} /> : <VisitorActions />}</div>
      </div>
    </header>
  )
}

function TopEntry({ entry }: { entry: NavEntry }) {
  const { to, within, label, hint, items } = entry
  const lang = useLang()
  if (items) return <EntryMenu entry={entry} items={items} />
  return (
    <NavLink className="nav-link" to={to} title={hint?.[lang]} {...(within && { within })}>
      {label[lang]}
    </NavLink>
  )
}

function EntryMenu({ entry, items }: { entry: NavEntry; items: readonly NavItem[] }) {
  const lang = useLang()
  const [path] = useLocation()
  return (
    <Menu
      align="start"
      label={entry.label[lang]}
      button={(props) => (
        <button {...props} className="nav-link" aria-current={entry.within?.test(path) ? 'page' : undefined}>
          {entry.label[lang]}
          <ItemBadge item={entry} />
          <Icon of={ChevronDown} size="s" />
        </button>
      )}
    >
      {items.map((item) => (
        <MenuLink key={item.to[0]} href={item.to[0]!} icon={item.icon}>
          {item.label[lang]}
          <ItemBadge item={item} />
        </MenuLink>
      ))}
    </Menu>
  )
}

const ItemBadge = ({ item: { useBadgeCount = useNoBadge } }: { item: NavItem }) => (
  <Badge count={useBadgeCount()} />
)

function VisitorMenu() {
  const say = useText(shellText)
  return (
    <Menu
      align="start"
      label={say.profile}
      button={(props) => (
        <button {...props} className="nav-link">
          {say.profile}
          <Icon of={ChevronDown} size="s" />
        </button>
      )}
    >
      <MenuLink href="/register" icon={UserPlus}>
        {say.signUp}
      </MenuLink>
      <MenuLink href="/login" icon={LogIn}>
        {say.logIn}
      </MenuLink>
    </Menu>
  )
}

function VisitorActions() {
  const say = useText(shellText)
  const [path] = useLocation()
  if (path === '/login')
    return (
      <ButtonLink className="stay" href="/register">
        {say.signUp}
      </ButtonLink>
    )
  if (path === '/register')
    return (
      <ButtonLink className="stay" href="/login">
        {say.logIn}
      </ButtonLink>
    )
  return (
    <>
      <ButtonLink kind="bare" href="/login">
        {say.logIn}
      </ButtonLink>
      <ButtonLink kind="primary" className="stay" href="/register">
        {say.signUp}
      </ButtonLink>
    </>
  )
}

function MemberActions({ me, onLang }: { me: Me; onLang: (lang: Lang) => void }) {
  const say = useText(shellText)
  const lang = useLang()
  return (
    <>
      {entriesAt('action', me).map(({ to, label, icon }) => (
        <ButtonLink key={to[0]} kind="primary" icon={icon} href={to[0]!} label={label[lang]}>
          <span className="label">{label[lang]}</span>
        </ButtonLink>
      ))}
      <Menu
        label={say.profile}
        button={(props) => (
          <button {...props} className="me" aria-label={say.profileOf(me.name)}>
            <Avatar person={me} size="s" />
          </button>
        )}
      >
        <Link className="about" href={profilePath(me)}>
          <span>
            <b>
              <Name>{me.name}</Name>
            </b>
            {me.email}
          </span>
        </Link>
        <hr />
        {entriesAt('profileMenu', me).map(({ to, label, icon }) => (
          <MenuLink key={to[0]} href={to[0]!} icon={icon}>
            {label[lang]}
          </MenuLink>
        ))}
        <hr />
        <div className="reader-settings">
          <ReaderSettings onLang={onLang} onBoard />
        </div>
      </Menu>
    </>
  )
}

/** The navigation of phones: icons, with a dot where something is unread. */
export function BottomBar() {
  const say = useText(shellText)
  const me = useMe()
  return (
    <nav className="bottom-bar" aria-label={say.mainShort}>
      {entriesAt('bottomBar', me).map((entry) => (
        <BottomEntry key={entry.to[0]} entry={entry} />
      ))}
      <NavLink to={me ? [profilePath(me)] : ['/login', '/register']} within={/^\/edit$/} label={say.profile}>
        <Icon of={UserRound} size="l" />
      </NavLink>
    </nav>
  )
}

function BottomEntry({ entry }: { entry: NavEntry }) {
  const { to, within, label, hint, icon, useBadgeCount = useNoBadge } = entry
  const say = useText(shellText)
  const lang = useLang()
  const name = label[lang]
  const count = useBadgeCount()
  return (
    <NavLink
      to={to}
      title={hint?.[lang]}
      {...(within && { within })}
      label={count ? `${name}, ${say.unread(shownCount(count))}` : name}
    >
      <Icon of={icon} size="l" />
      {count > 0 && <span className="dot" />}
    </NavLink>
  )
}

interface NavLinkProps {
  /** Paths of one and the same page; the link leads to the first. */
  to: readonly string[]
  /** Matches the paths of further pages on which the link is current. */
  within?: RegExp
  label?: string
  title?: string | undefined
  className?: string
  children: ReactNode
}

/** A link of the navigation. A click on the link of this page scrolls to the top. */
function NavLink({ to, within, label, title, className, children }: NavLinkProps) {
  const [path] = useLocation()
  const isHere = to.includes(path)
  const click = (event: MouseEvent) => {
    if (!isHere) return
    event.preventDefault()
    scrollToTop()
  }
  return (
    <Link
      href={isHere ? path : to[0]!}
      className={className}
      aria-label={label}
      title={title}
      aria-current={isHere || within?.test(path) ? 'page' : undefined}
      onClick={click}
    >
      {children}
    </Link>
  )
}

/** The product's mark: two people on a veranda, with room for a third. */
const Logo = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" fill="#28634f" />
    <path d="M5.5 21.6v-8.9a4.3 4.3 0 0 1 8.6 0v8.9z" fill="#fcfdfa" />
    <path d="M15.4 21.6v-4.7a4.3 4.3 0 0 1 8.6 0v4.7z" fill="#a9d4b4" />
    <rect x="3.5" y="21.6" width="25" height="3.2" rx="1" fill="#dcb07a" />
  </svg>
)
