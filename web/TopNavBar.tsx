import { ChevronDown, Download, Languages, LogIn, UserPlus, UserRound } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Language } from '#core/contract.ts'
import { formatEmailOrElseHandleOfMember, type Me, toProfilePath } from '#features/people/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useAppInstallPromptOpener } from '#web/install-prompt.ts'
import { LanguageAndThemeControls } from '#web/LanguageAndThemeControls.tsx'
import { useMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { scrollToTop } from '#web/scroll.ts'
import { appShellText } from '#web/shell-text.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { Menu, MenuItemButton, MenuItemLink } from '#web/ui/Menu.tsx'
import { formatBadgeCount, UnreadBadge } from '#web/ui/UnreadBadge.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import {
  listVisibleNavItemsAtPlace,
  type NavItem,
  type PlacedNavItem,
  useZeroBadgeCount,
} from '#web/web-modules.ts'

interface OnLang {
  onLang: (lang: Language) => void
}
interface NavBarProps extends OnLang {
  pending: boolean
}

export function TopNavBar({ pending, onLang }: NavBarProps) {
  const t = useText(appShellText)
  const me = useMe()
  return (
    <header className="top-bar" data-pending={pending || undefined}>
      <div className="inside">
        <Link className="brand" href="/">
          <Logo />
          <span>{initialPageData.app.name}</span>
        </Link>
        <nav className="nav-links" aria-label={t.mainNavigation}>
          {listVisibleNavItemsAtPlace('topBar', me).map((entry) => (
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

function TopBarEntry({ entry }: { entry: PlacedNavItem }) {
  const { paths, activePattern, label, tooltip, items } = entry
  const lang = useLang()
  if (items) return <EntryMenu entry={entry} items={items} />
  return (
    <NavLink className="nav-link" paths={paths} title={tooltip?.[lang]} activePattern={activePattern}>
      {label[lang]}
    </NavLink>
  )
}

function EntryMenu({ entry, items }: { entry: PlacedNavItem; items: readonly NavItem[] }) {
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

const ItemBadge = ({ item: { useBadgeCount = useZeroBadgeCount } }: { item: NavItem }) => (
  <UnreadBadge count={useBadgeCount()} />
)

function VisitorMenu({ onLang }: OnLang) {
  const t = useText(appShellText)
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
      {!initialPageData.app.closed && (
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

/** Renders a menu with language and theme for visitors on phones, where the top bar has no profile menu. */
function SettingsMenu({ onLang }: OnLang) {
  const { settings } = useText(appShellText)
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
    <LanguageAndThemeControls onLang={onLang} onCard />
  </div>
)

/**
 * Renders the buttons to log in and to register. The log-in page has no button to log in, and the
 * registration page no button to register. A community that nobody may join has no button to register at all.
 */
function VisitorActions() {
  const t = useText(appShellText)
  const [path] = useLocation()
  const isForm = path === '/login' || path === '/register'
  return (
    <>
      {path !== '/login' && (
        <ButtonLink
          kind={isForm ? 'secondary' : 'ghost'}
          className={isForm ? 'shown-when-narrow' : undefined}
          href="/login"
        >
          {t.logIn}
        </ButtonLink>
      )}
      {path !== '/register' && !initialPageData.app.closed && (
        <ButtonLink kind={isForm ? 'secondary' : 'primary'} className="shown-when-narrow" href="/register">
          {t.signUp}
        </ButtonLink>
      )}
    </>
  )
}

function MemberActions({ me, onLang }: OnLang & { me: Me }) {
  const t = useText(appShellText)
  const lang = useLang()
  const install = useAppInstallPromptOpener()
  return (
    <>
      {listVisibleNavItemsAtPlace('action', me).map(({ paths, label, icon }) => (
        <ButtonLink key={paths[0]} kind="primary" icon={icon} href={paths[0]!} label={label[lang]}>
          <span className="label">{label[lang]}</span>
        </ButtonLink>
      ))}
      {listVisibleNavItemsAtPlace('iconButtons', me).map((item) => (
        <IconLink key={item.paths[0]} item={item} className="menu-button" />
      ))}
      <Menu
        label={t.profile}
        renderButton={(props) => (
          <button {...props} className="menu-button" aria-label={t.profileOf(me.name)}>
            <Avatar person={me} size="s" />
          </button>
        )}
      >
        <Link className="menu-profile" href={toProfilePath(me)}>
          <span>
            <b>
              <UserText>{me.name}</UserText>
            </b>
            {formatEmailOrElseHandleOfMember(me)}
          </span>
        </Link>
        <hr />
        {listVisibleNavItemsAtPlace('profileMenu', me).map(({ paths, label, icon }) => (
          <MenuItemLink key={paths[0]} href={paths[0]!} icon={icon}>
            {label[lang]}
          </MenuItemLink>
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

/** Renders the navigation bar of phones: icons, with a dot if something is unread. */
export function BottomNavBar() {
  const t = useText(appShellText)
  const me = useMe()
  return (
    <nav className="bottom-bar" aria-label={t.bottomNavigation}>
      {listVisibleNavItemsAtPlace('bottomBar', me).map((entry) => (
        <IconLink key={entry.paths[0]} item={entry} size="l" />
      ))}
      <NavLink
        paths={me ? [toProfilePath(me)] : ['/login', '/register']}
        activePattern={/^\/edit$/}
        label={t.profile}
      >
        <Icon icon={UserRound} size="l" />
      </NavLink>
    </nav>
  )
}

interface IconLinkProps {
  item: NavItem & Pick<PlacedNavItem, 'activePattern'>
  size?: 'l'
  className?: string
}

/**
 * Renders a link that shows only an icon. A large icon has a dot if something is unread, a small icon has the
 * number of unread items.
 */
function IconLink({ item, size, className }: IconLinkProps) {
  const { paths, activePattern, label, tooltip, icon, useBadgeCount = useZeroBadgeCount } = item
  const t = useText(appShellText)
  const lang = useLang()
  const name = label[lang]
  const count = useBadgeCount()
  return (
    <NavLink
      paths={paths}
      title={tooltip?.[lang]}
      activePattern={activePattern}
      label={count ? `${name}, ${t.unread(formatBadgeCount(count))}` : name}
      className={className}
    >
      <Icon icon={icon} size={size} />
      {size ? count > 0 && <span className="dot" /> : <UnreadBadge count={count} />}
    </NavLink>
  )
}

interface NavLinkProps {
  /** The paths of the link's page. The link leads to the first one, and is marked as current on all. */
  paths: readonly string[]
  /** Matches the paths of other pages on which the link is marked as current too. */
  activePattern?: RegExp | undefined
  label?: string
  title?: string | undefined
  className?: string | undefined
  children: ReactNode
}

/** Renders a navigation link. If its page is shown already, a click scrolls the page to its top. */
function NavLink({ paths, activePattern, label, title, className, children }: NavLinkProps) {
  const [path] = useLocation()
  const isHere = paths.includes(path)
  const click = (event: MouseEvent) => {
    if (!isHere) return
    event.preventDefault()
    scrollToTop()
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
