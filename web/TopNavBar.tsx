import { ChevronDown, Download, Languages, LogIn, UserPlus, UserRound } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Language } from '#core/contract.ts'
import { type Me, nameToLogIn, profilePath } from '#features/people/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useInstallPrompt } from '#web/install-prompt.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { scrollToTop } from '#web/scroll.ts'
import { shellText } from '#web/shell-text.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { Menu, MenuItemButton, MenuItemLink } from '#web/ui/Menu.tsx'
import { badgeText, UnreadBadge } from '#web/ui/UnreadBadge.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { listNavItems, type NavItem, type PlacedItem, useAlways, useZeroBadge } from '#web/web-modules.ts'
import { DisplaySettings } from './DisplaySettings.tsx'

interface OnLang {
  onLang: (lang: Language) => void
}
interface NavBarProps extends OnLang {
  pending: boolean
}

export function TopNavBar({ pending, onLang }: NavBarProps) {
  const t = useText(shellText)
  const me = useMe()
  return (
    <header className="top-bar" data-pending={pending || undefined}>
      <div className="inside">
        <Link className="brand" href="/">
          <Logo />
          <span>{pageData.app.name}</span>
        </Link>
        <nav className="nav-links" aria-label={t.mainNavigation}>
          {listNavItems('topBar', me).map((entry) => (
            <TopBarEntry key={entry.paths[0]} entry={entry} />
          ))}
          {!me && <VisitorMenu onLang={onLang} />}
        </nav>
        <div className="actions">
          {me ? <MemberActions me={me} onLang={onLang} /> : <VisitorActions />}
          {!me && <SettingsMenu onLang={onLang} />}
        </div>
      </div>
    </header>
  )
}

function TopBarEntry({ entry }: { entry: PlacedItem }) {
  const { paths, activePattern, label, tooltip, items } = entry
  const lang = useLang()
  if (items) return <EntryMenu entry={entry} items={items} />
  return (
    <NavLink className="nav-link" paths={paths} title={tooltip?.[lang]} activePattern={activePattern}>
      {label[lang]}
    </NavLink>
  )
}

function EntryMenu({ entry, items }: { entry: PlacedItem; items: readonly NavItem[] }) {
  const lang = useLang()
  const [path] = useLocation()
  return (
    <Menu
      align="start"
      label={entry.label[lang]}
      renderButton={(props) => (
        <button
          {...props}
          className="nav-link"
          aria-current={entry.activePattern?.test(path) ? 'page' : undefined}
        >
          {entry.label[lang]}
          <ItemBadge item={entry} />
          <Icon icon={ChevronDown} size="s" />
        </button>
      )}
    >
      {items.map((item) => (
        <MenuItemLink key={item.paths[0]} href={item.paths[0]!} icon={item.icon}>
          {item.label[lang]}
          <ItemBadge item={item} />
        </MenuItemLink>
      ))}
    </Menu>
  )
}

const ItemBadge = ({ item: { useBadgeCount = useZeroBadge } }: { item: NavItem }) => (
  <UnreadBadge count={useBadgeCount()} />
)

function VisitorMenu({ onLang }: OnLang) {
  const t = useText(shellText)
  return (
    <Menu
      align="start"
      label={t.profile}
      renderButton={(props) => (
        <button {...props} className="nav-link">
          {t.profile}
          <Icon icon={ChevronDown} size="s" />
        </button>
      )}
    >
      {pageData.app.join !== 'closed' && (
        <MenuItemLink href="/register" icon={UserPlus}>
          {t.signUp}
        </MenuItemLink>
      )}
      <MenuItemLink href="/login" icon={LogIn}>
        {t.logIn}
      </MenuItemLink>
      <hr />
      <MenuSettings onLang={onLang} />
    </Menu>
  )
}

/** For visitors on phones, where the top bar has no profile menu. */
function SettingsMenu({ onLang }: OnLang) {
  const { settings } = useText(shellText)
  return (
    <Menu
      label={settings}
      renderButton={(props) => (
        <button {...props} className="menu-button narrow-only" aria-label={settings}>
          <Icon icon={Languages} />
        </button>
      )}
    >
      <MenuSettings onLang={onLang} />
    </Menu>
  )
}

const MenuSettings = ({ onLang }: OnLang) => (
  <div className="reader-settings">
    <DisplaySettings onLang={onLang} onCard />
  </div>
)

/** Not the button of the page itself, and none to register in a community that nobody may join. */
function VisitorActions() {
  const t = useText(shellText)
  const [path] = useLocation()
  const isForm = path === '/login' || path === '/register'
  return (
    <>
      <IconLinks me={null} />
      {path !== '/login' && (
        <ButtonLink
          kind={isForm ? 'secondary' : 'ghost'}
          className={isForm ? 'shown-when-narrow' : undefined}
          href="/login"
        >
          {t.logIn}
        </ButtonLink>
      )}
      {path !== '/register' && pageData.app.join !== 'closed' && (
        <ButtonLink kind={isForm ? 'secondary' : 'primary'} className="shown-when-narrow" href="/register">
          {t.signUp}
        </ButtonLink>
      )}
    </>
  )
}

function MemberActions({ me, onLang }: OnLang & { me: Me }) {
  const t = useText(shellText)
  const lang = useLang()
  const install = useInstallPrompt()
  return (
    <>
      {listNavItems('action', me).map(({ paths, label, icon }) => (
        <ButtonLink key={paths[0]} kind="primary" icon={icon} href={paths[0]!} label={label[lang]}>
          <span className="label">{label[lang]}</span>
        </ButtonLink>
      ))}
      <IconLinks me={me} />
      <Menu
        label={t.profile}
        renderButton={(props) => (
          <button {...props} className="menu-button" aria-label={t.profileOf(me.name)}>
            <Avatar person={me} size="s" />
          </button>
        )}
      >
        <Link className="menu-profile" href={profilePath(me)}>
          <span>
            <b>
              <UserText>{me.name}</UserText>
            </b>
            {nameToLogIn(me)}
          </span>
        </Link>
        <hr />
        {listNavItems('profileMenu', me).map((item) => (
          <ProfileMenuLink key={item.paths[0]} item={item} />
        ))}
        {install && (
          <MenuItemButton icon={Download} onPress={install}>
            {t.installApp}
          </MenuItemButton>
        )}
        <hr />
        <MenuSettings onLang={onLang} />
      </Menu>
    </>
  )
}

function ProfileMenuLink({ item }: { item: NavItem }) {
  const { paths, label, icon, useBadgeCount = useZeroBadge, useIsShown = useAlways } = item
  const lang = useLang()
  const count = useBadgeCount()
  if (!useIsShown()) return null
  return (
    <MenuItemLink href={paths[0]!} icon={icon}>
      {label[lang]}
      <UnreadBadge count={count} />
    </MenuItemLink>
  )
}

export function BottomNavBar() {
  const t = useText(shellText)
  const me = useMe()
  return (
    <nav className="bottom-bar" aria-label={t.bottomNavigation}>
      {listNavItems('bottomBar', me).map((entry) => (
        <BarLink key={entry.paths[0]} item={entry} />
      ))}
      <NavLink paths={me ? [profilePath(me)] : ['/login', '/register']} activePattern={/^\/(edit|account)$/}>
        <Icon icon={me ? UserRound : LogIn} size="l" />
        <span>{me ? t.me : t.logIn}</span>
      </NavLink>
    </nav>
  )
}

function BarLink({ item }: { item: PlacedItem }) {
  const { paths, activePattern, label, tooltip, icon } = item
  const lang = useLang()
  const { name, count } = useUnreadName(item)
  return (
    <NavLink paths={paths} title={tooltip?.[lang]} activePattern={activePattern} label={name}>
      <Icon icon={icon} size="l" />
      <UnreadBadge count={count} />
      <span>{label[lang]}</span>
    </NavLink>
  )
}

const IconLinks = ({ me }: { me: Me | null }) =>
  listNavItems('iconButtons', me).map((item) => <IconLink key={item.paths[0]} item={item} />)

/** Unless it says otherwise, it is in the bar at the bottom on phones. */
function IconLink({ item }: { item: PlacedItem }) {
  const { name, count } = useUnreadName(item)
  const className = item.isOnPhones ? 'menu-button' : 'menu-button wide-only'
  return (
    <NavLink paths={item.paths} label={name} className={className} onPress={item.onClick}>
      <Icon icon={item.icon} />
      <UnreadBadge count={count} />
    </NavLink>
  )
}

function useUnreadName({ label, useBadgeCount = useZeroBadge }: NavItem) {
  const t = useText(shellText)
  const name = label[useLang()]
  const count = useBadgeCount()
  return { name: count ? `${name}, ${t.unread(badgeText(count))}` : name, count }
}

interface NavLinkProps {
  /** The link leads to the first one, and is marked as current on all. */
  paths: readonly string[]
  /** Other pages on which the link is marked as current too. */
  activePattern?: RegExp | undefined
  label?: string
  title?: string | undefined
  className?: string | undefined
  /** In place of following the link. */
  onPress?: (() => void) | undefined
  children: ReactNode
}

/** On its own page, a click scrolls to the top. */
function NavLink({ paths, activePattern, label, title, className, onPress, children }: NavLinkProps) {
  const [path] = useLocation()
  const isHere = paths.includes(path)
  const click = (event: MouseEvent) => {
    if (!isHere && !onPress) return
    event.preventDefault()
    ;(onPress ?? scrollToTop)()
  }
  return (
    <Link
      href={isHere ? path : paths[0]!}
      className={className}
      aria-label={label}
      title={title}
      aria-current={isHere || activePattern?.test(path) ? 'page' : undefined}
      onClick={click}
    >
      {children}
    </Link>
  )
}
