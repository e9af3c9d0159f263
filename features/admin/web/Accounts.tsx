import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { Ban, DoorOpen, Ellipsis, Link, ShieldCheck, ShieldMinus } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useFollowings } from '#features/people/web/FollowButton.tsx'
import { api, type Rows } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { useMe, useMeChanged } from '#web/me.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Confirm } from '#web/ui/Confirm.tsx'
import type { LucideIcon } from '#web/ui/Icon.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import { Name, NameInSentence } from '#web/ui/Name.tsx'
import { ShortDate } from '#web/ui/Time.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { type Account, admin } from '../contract.ts'
import { adminText } from './text.ts'
import { useCopyLink } from './useCopyLink.tsx'

/** An action on an account; also the name of its call and of its texts. */
type AccountAction = 'grant' | 'revoke' | 'suspend' | 'letBackIn'

const icons: Record<AccountAction, LucideIcon> = {
  grant: ShieldCheck,
  revoke: ShieldMinus,
  suspend: Ban,
  letBackIn: DoorOpen,
}

type FetchedAccounts = Rows<Account[]> | InfiniteData<Rows<Account[]>>

/** Puts a changed account into all fetched lists. The rights of the reader's own account change at once. */
function useAccountChanged() {
  const client = useQueryClient()
  const me = useMe()
  const meChanged = useMeChanged()
  return (account: Account) => {
    forgetInitialAnswers()
    const inPage = (page: Rows<Account[]>) => ({
      ...page,
      rows: page.rows.map((one) => (one.id === account.id ? account : one)),
    })
    client.setQueriesData<FetchedAccounts>(
      { queryKey: [admin.users.path] },
      (data) => data && ('pages' in data ? { ...data, pages: data.pages.map(inPage) } : inPage(data)),
    )
    if (me?.id === account.id) meChanged({ ...me, is_admin: account.is_admin }, { forget: false })
  }
}

export function Accounts({ accounts }: { accounts: Account[] }) {
  const t = useText(adminText)
  const me = useMe()
  const [asked, setAsked] = useState<{ action: AccountAction; account: Account } | null>(null)
  const changed = useAccountChanged()
  const { copy, dialog } = useCopyLink()
  const followings = useFollowings()
  const followed = new Set(followings.data)
  return (
    <div className="table accounts">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            <th scope="col">{t.email}</th>
            <th scope="col">{t.joined}</th>
            <th scope="col">{t.state}</th>
            <th scope="col">{t.following}</th>
            <th scope="col">
              <span className="hide">{t.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <Row
              key={account.id}
              account={account}
              label={followings.data ? (followed.has(account.id) ? t.unfollow : t.follow) : ''}
              onCopy={() => copy(account)}
              onAsk={(action) => setAsked({ action, account })}
            />
          ))}
        </tbody>
      </table>
      {dialog}
      {asked && (
        <Confirm
          title={<NameInSentence words={t[asked.action].title} name={asked.account.name} />}
          verb={t[asked.action].verb}
          fatal={asked.action === 'suspend' || asked.action === 'revoke'}
          run={() => api(admin[asked.action], { id: asked.account.id })}
          onDone={(account) => {
            changed(account)
            toast(<NameInSentence words={t[asked.action].done} name={account.name} />)
          }}
          onClose={() => setAsked(null)}
        >
          {asked.action === 'revoke' && asked.account.id === me?.id ? t.revokeOwn : t[asked.action].help}
        </Confirm>
      )}
    </div>
  )
}

interface RowProps {
  account: Account
  label: string
  onCopy: () => void
  onAsk: (action: AccountAction) => void
}
function Row({ account, label, onCopy, onAsk }: RowProps) {
  const t = useText(adminText)
  const at = account.email.lastIndexOf('@')
  return (
    <tr data-account={account.id}>
      <td className="person-cell">
        <span className="person">
          <Avatar person={account} size="s" />
          <Name>{account.name}</Name>
        </span>
      </td>
      <td className="mail">
        {account.email.slice(0, at)}
        <wbr />
        {account.email.slice(at)}
      </td>
      <td className="set joined-cell">
        <ShortDate at={account.created_at} />
      </td>
      <td className="state">
        <span>
          {account.is_admin && <span className="chip pine">{t.admin}</span>}
          {account.suspended_at && <span className="chip danger">{t.suspended}</span>}
          {account.email_verified_at ? t.verified : <span className="chip warn">{t.notVerified}</span>}
        </span>
      </td>
      <td className="set follow-label">{label}</td>
      <td className="acts">
        <AccountMenu account={account} onCopy={onCopy} onAsk={onAsk} />
      </td>
    </tr>
  )
}

/** The actions that the server allows: it suspends no admin, and makes nobody an admin who is suspended. */
function actionsFor({ is_admin, suspended_at }: Account): AccountAction[] {
  if (is_admin) return ['revoke']
  return suspended_at ? ['letBackIn'] : ['grant', 'suspend']
}

function AccountMenu({ account, onCopy, onAsk }: Omit<RowProps, 'label'>) {
  const t = useText(adminText)
  const label = t.moreAbout(account.name)
  return (
    <Menu
      label={label}
      button={(props) => <Button {...props} kind="bare" only small icon={Ellipsis} label={label} />}
    >
      {!account.email_verified_at && (
        <MenuButton icon={Link} onPress={onCopy}>
          {t.copyLink}
        </MenuButton>
      )}
      {actionsFor(account).map((action) => (
        <Fragment key={action}>
          {action === 'suspend' && <hr />}
          <MenuButton icon={icons[action]} danger={action === 'suspend'} onPress={() => onAsk(action)}>
            {t[action].item}
          </MenuButton>
        </Fragment>
      ))}
    </Menu>
  )
}
