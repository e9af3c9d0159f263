import { ChevronDown, LogIn, LogOut, MessageCircle, MessagesSquare, PenLine, ShieldCheck, UserPen, UserPlus } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { type Me, profilePath } from '#features/people/contract.ts'
import { boot } from '#web/boot.ts'
import { useMe } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Mark } from '#web/ui/Mark.tsx'
import { Menu, MenuLink } from '#web/ui/Menu.tsx'
import { Name } from '#web/ui/Name.tsx'
import { useUnreadSum } from '#web/unread.ts'
import { Way } from '#web/Way.tsx'
import { words } from '#web/words.ts'

export function Bar({ pending }: { pending: boolean }) {
  const say = useText(words)
  const me = useMe()
  return (
    <header className="bar" data-pending={pending || undefined}>
      <div className="inside">
        <Link className="brand" href="/">
          <Mark />
          <span>{boot.app.name}</span>
        </Link>
        <nav className="ways" aria-label={say.main}>
          <Way className="way" to={['/', '/postlist']}>
            {say.home}
          </Way>
          <Way className="way" to={['/followingpostlist']}>
            {say.posts}
          </Way>
          <Way className="way" to={['/follow']}>
            {say.searchUsers}
          </Way>
          {me?.is_admin && (
            <Way className="way" to={['/admin/dashboard']} within={/^\/admin\//}>
              {say.admin}
            </Way>
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
  const say = useText(words)
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
  const say = useText(words)
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
  const say = useText(words)
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
  const say = useText(words)
  return (
    <>
      <ButtonLink kind="primary" icon={PenLine} href="/post" label={say.newPost}>
        <span className="label">{say.newPost}</span>
      </ButtonLink>
      <Menu
        label={say.profile}
        button={(props) => (
          <button {...props} className="me" aria-label={say.profileOf(me.name)}>
            <Face person={me} size="s" />
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
