import { ChevronDown, LogIn, UserPlus } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { type Me, profilePath } from '#features/people/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { entriesAt, type NavEntry, type NavItem, useNoBadge } from '#web/modules.ts'
import { NavLink } from '#web/NavLink.tsx'
import { pageData } from '#web/page-data.ts'
import { shellText } from '#web/shell-text.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { Menu, MenuLink } from '#web/ui/Menu.tsx'
import { Name } from '#web/ui/Name.tsx'

export function NavBar({ pending }: { pending: boolean }) {
  const say = useText(shellText)
  const me = useMe()
  return (
    <header className="bar" data-pending={pending || undefined}>
      <div className="inside">
        <Link className="brand" href="/">
          <Logo />
          <span>{pageData.app.name}</span>
        </Link>
        <nav className="ways" aria-label={say.main}>
          {entriesAt('topBar', me).map((entry) => (
            <TopEntry key={entry.to[0]} entry={entry} />
          ))}
          {!me && <VisitorMenu />}
        </nav>
        <div className="acts">{me ? <MemberActions me={me} /> : <VisitorActions />}</div>
      </div>
    </header>
  )
}

function TopEntry({ entry }: { entry: NavEntry }) {
  const { to, within, label, items } = entry
  const lang = useLang()
  if (items) return <EntryMenu entry={entry} items={items} />
  return (
    <NavLink className="way" to={to} {...(within && { within })}>
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
        <button {...props} className="way" aria-current={entry.within?.test(path) ? 'page' : undefined}>
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
        <button {...props} className="way">
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

function MemberActions({ me }: { me: Me }) {
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
      </Menu>
    </>
  )
}
