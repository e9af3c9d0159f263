import {
  ChevronDown,
  LogIn,
  LogOut,
  MessageCircle,
  MessagesSquare,
  PenLine,
  ShieldCheck,
  UserPen,
  UserPlus,
} from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { type Me, profilePath } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
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
import { useUnreadSum } from '#web/unread.ts'

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
          <NavLink className="way" to={['/', '/postlist']}>
            {say.home}
          </NavLink>
          <NavLink className="way" to={['/followingpostlist']}>
            {say.posts}
          </NavLink>
          <NavLink className="way" to={['/follow']}>
            {say.searchUsers}
          </NavLink>
          {me?.is_admin && (
            <NavLink className="way" to={['/admin/dashboard']} within={/^\/admin\//}>
              {say.admin}
            </NavLink>
          )}
          <ChatMenu />
          {!me && <VisitorMenu />}
        </nav>
        <div className="acts">{me ? <MemberActs me={me} /> : <VisitorActs />}</div>
      </div>
    </header>
  )
}

export const chatPaths = /^\/(users|privatechat|my-groups|group-chat)(\/|$)/

function ChatMenu() {
  const say = useText(shellText)
  const [path] = useLocation()
  const all = useUnreadSum()
  const privates = useUnreadSum('private')
  return (
    <Menu
      align="start"
      label={say.chat}
      button={(props) => (
        <button {...props} className="way" aria-current={chatPaths.test(path) ? 'page' : undefined}>
          {say.chat}
          <Badge count={all} />
          <Icon of={ChevronDown} size="s" />
        </button>
      )}
    >
      <MenuLink href="/users" icon={MessageCircle}>
        {say.privateChat}
        <Badge count={privates} />
      </MenuLink>
      <MenuLink href="/my-groups" icon={MessagesSquare}>
        {say.groupChat}
        <Badge count={all - privates} />
      </MenuLink>
    </Menu>
  )
}

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

function VisitorActs() {
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

function MemberActs({ me }: { me: Me }) {
  const say = useText(shellText)
  return (
    <>
      <ButtonLink kind="primary" icon={PenLine} href="/post" label={say.newPost}>
        <span className="label">{say.newPost}</span>
      </ButtonLink>
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
        <MenuLink href="/edit" icon={UserPen}>
          {say.editProfile}
        </MenuLink>
        {me.is_admin && (
          <MenuLink href="/admin/dashboard" icon={ShieldCheck}>
            {say.admin}
          </MenuLink>
        )}
        <MenuLink href="/logout" icon={LogOut}>
          {say.logOut}
        </MenuLink>
      </Menu>
    </>
  )
}
