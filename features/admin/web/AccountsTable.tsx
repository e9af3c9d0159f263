import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import {
  Baby,
  Ban,
  DoorOpen,
  Ellipsis,
  KeyRound,
  Link,
  Megaphone,
  MegaphoneOff,
  ShieldCheck,
  ShieldMinus,
  Trash2,
  Undo2,
} from 'lucide-react'
import { Fragment, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { nameToLogIn } from '#features/people/contract.ts'
import { useFollowedIds } from '#features/people/web/followed-ids.ts'
import { Reading } from '#features/people/web/Reading.tsx'
import { callEndpoint, type ListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { useMe, useSetMe } from '#web/me.ts'
import { forgetAnswers } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import type { LucideIcon } from '#web/ui/Icon.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName, SentenceWithName, UserText } from '#web/ui/UserText.tsx'
import { adminEndpoints, type ManagedAccount } from '../contract.ts'
import { announcerText } from './announcer-text.ts'
import { ChildDialog } from './ChildDialog.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { adminText, childText } from './text.ts'
import { useCopyEmailLink } from './useCopyEmailLink.tsx'
import { useResetCode } from './useResetCode.tsx'

/** Needs only a confirmation. Its endpoint and texts have the same name. */
type ConfirmedAction =
  | 'grant'
  | 'revoke'
  | 'trust'
  | 'distrust'
  | 'removeSecondStep'
  | 'suspend'
  | 'unsuspend'
  | 'keep'
type AccountAction = ConfirmedAction | 'remove'

const icons: Record<AccountAction, LucideIcon> = {
  grant: ShieldCheck,
  revoke: ShieldMinus,
  trust: Megaphone,
  distrust: MegaphoneOff,
  removeSecondStep: KeyRound,
  suspend: Ban,
  unsuspend: DoorOpen,
  remove: Trash2,
  keep: Undo2,
}

type FetchedAccounts = ListPage<ManagedAccount[]> | InfiniteData<ListPage<ManagedAccount[]>>

/** Replaces an account in all fetched lists. One's own rights in the page change at once. */
function useUpdateAccountCache() {
  const client = useQueryClient()
  const me = useMe()
  const meChanged = useSetMe()
  return (account: ManagedAccount) => {
    forgetAnswers()
    const inPage = (page: ListPage<ManagedAccount[]>) => ({
      ...page,
      rows: page.rows.map((one) => (one.id === account.id ? account : one)),
    })
    client.setQueriesData<FetchedAccounts>(
      { queryKey: [adminEndpoints.users.path] },
      (data) => data && ('pages' in data ? { ...data, pages: data.pages.map(inPage) } : inPage(data)),
    )
    if (me?.id === account.id) meChanged({ ...me, is_admin: account.is_admin }, { forget: false })
  }
}

export function AccountsTable({ accounts }: { accounts: ManagedAccount[] }) {
  const t = { ...useText(adminText), ...useText(announcerText) }
  const me = useMe()
  const [asked, setAsked] = useState<{ action: ConfirmedAction; account: ManagedAccount } | null>(null)
  const [deleting, setDeleting] = useState<ManagedAccount | null>(null)
  const [child, setChild] = useState<ManagedAccount | null>(null)
  const changed = useUpdateAccountCache()
  const { copy, dialog } = useCopyEmailLink()
  const { run, dialog: confirmationDialog } = useConfirmation()
  const resetCode = useResetCode()
  const followings = useFollowedIds()
  const followed = new Set(followings.data)
  const done = (action: AccountAction) => (account: ManagedAccount) => {
    changed(account)
    showToast(<SentenceWithName words={t[action].done} name={account.name} />)
  }
  return (
    <div className="table accounts">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            <th scope="col">{t.email}</th>
            <th scope="col">{t.memberSince}</th>
            <th scope="col">{t.state}</th>
            <th scope="col">{t.following}</th>
            <th scope="col">
              <span className="visually-hidden">{t.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              label={followings.data ? (followed.has(account.id) ? t.unfollow : t.follow) : ''}
              onCopy={() => copy(account)}
              onResetCode={() => resetCode.create(account)}
              onChild={() => setChild(account)}
              onAsk={(action) => (action === 'remove' ? setDeleting(account) : setAsked({ action, account }))}
            />
          ))}
        </tbody>
      </table>
      {dialog}
      {resetCode.dialog}
      {child && <ChildDialog account={child} onDone={changed} onClose={() => setChild(null)} />}
      {deleting && (
        <DeleteDialog account={deleting} onDone={done('remove')} onClose={() => setDeleting(null)} />
      )}
      {asked && (
        <ConfirmDialog
          title={<SentenceWithName words={t[asked.action].title} name={asked.account.name} />}
          confirmLabel={t[asked.action].verb}
          isDestructive={['suspend', 'revoke', 'distrust', 'removeSecondStep'].includes(asked.action)}
          onConfirm={() => run(() => callEndpoint(adminEndpoints[asked.action], { id: asked.account.id }))}
          onDone={done(asked.action)}
          onClose={() => setAsked(null)}
        >
          {asked.action === 'revoke' && asked.account.id === me?.id ? t.revokeOwn : t[asked.action].help}
        </ConfirmDialog>
      )}
      {confirmationDialog}
    </div>
  )
}

const hasNoEmail = ({ email, has_hidden_email }: ManagedAccount) => email === null && !has_hidden_email

interface RowProps {
  account: ManagedAccount
  label: string
  onCopy: () => void
  onResetCode: () => void
  onChild: () => void
  onAsk: (action: AccountAction) => void
}
function AccountRow({ account, label, ...handlers }: RowProps) {
  const t = { ...useText(adminText), ...useText(announcerText) }
  const logInName = nameToLogIn(account)
  const at = logInName.lastIndexOf('@')
  return (
    <tr data-account={account.id}>
      <td className="person-cell">
        <span className="person">
          <Avatar person={account} size="s" />
          <span>
            <UserText>{account.name}</UserText>
            <Reading className="text-meta sub-line" person={account} aria-hidden />
            {account.invited_by && (
              <span className="text-meta sub-line">
                {t.invitedBy}
                <PersonName>{account.invited_by.name}</PersonName>
              </span>
            )}
          </span>
        </span>
      </td>
      <td className="mail">
        {logInName.slice(0, at)}
        <wbr />
        {logInName.slice(at)}
      </td>
      <td className="no-wrap joined-cell">
        <ShortDate at={account.created_at} />
      </td>
      <td className="state">
        <span>
          {account.is_admin && <span className="chip pine">{t.admin}</span>}
          {account.is_announcer && <span className="chip pine">{t.announcer}</span>}
          <ChildChip account={account} />
          {account.deletion && (
            <span className="chip danger">
              {t.deletionOn}
              <ShortDate at={account.deletion.due_at} />
            </span>
          )}
          {account.suspended_at && <span className="chip danger">{t.suspended}</span>}
          {hasNoEmail(account) && t.noEmail}
          {!hasNoEmail(account) &&
            (account.email_verified_at ? t.verified : <span className="chip warn">{t.notVerified}</span>)}
        </span>
      </td>
      <td className="no-wrap follow-label">{label}</td>
      <td className="actions">
        <AccountMenu account={account} {...handlers} />
      </td>
    </tr>
  )
}

function ChildChip({ account: { child } }: Pick<RowProps, 'account'>) {
  const t = useText(childText)
  if (!child) return null
  if (!child.guardians.length) return <span className="chip danger">{t.withoutGuardian}</span>
  return (
    <span className="chip pine" title={child.guardians.map(({ name }) => name).join(', ')}>
      {t.chip}
    </span>
  )
}

const isDestructive = (action: AccountAction) => action === 'suspend' || action === 'remove'

/**
 * Leaves out what the server refuses: admins are neither suspended nor deleted, suspended members and
 * children cannot become admins, and `keep` cancels only a deletion that an admin requested.
 */
function actionsFor(account: ManagedAccount): AccountAction[] {
  const { is_admin, is_announcer, suspended_at, has_second_step, deletion, child } = account
  const trust = is_announcer ? (['distrust'] as const) : (['trust'] as const)
  if (is_admin) return is_announcer ? ['revoke', 'distrust'] : ['revoke']
  if (deletion?.by_admin) return ['keep']
  return [
    ...(suspended_at ? [] : trust),
    ...(has_second_step ? (['removeSecondStep'] as const) : []),
    ...(suspended_at
      ? (['unsuspend'] as const)
      : child
        ? (['suspend'] as const)
        : (['grant', 'suspend'] as const)),
    ...(deletion ? [] : (['remove'] as const)),
  ]
}

function AccountMenu({ account, onCopy, onResetCode, onChild, onAsk }: Omit<RowProps, 'label'>) {
  const t = { ...useText(adminText), ...useText(announcerText) }
  const childItem = useText(childText).item
  const label = t.moreAbout(account.name)
  return (
    <Menu
      label={label}
      renderButton={(props) => (
        <Button {...props} kind="ghost" iconOnly small icon={Ellipsis} label={label} />
      )}
    >
      {!hasNoEmail(account) && !account.email_verified_at && (
        <MenuItemButton icon={Link} onPress={onCopy}>
          {t.copyLink}
        </MenuItemButton>
      )}
      {!account.is_admin && !account.suspended_at && (
        <MenuItemButton icon={KeyRound} onPress={onResetCode}>
          {t.resetCode}
        </MenuItemButton>
      )}
      {!account.is_admin && (
        <MenuItemButton icon={Baby} onPress={onChild}>
          {childItem}
        </MenuItemButton>
      )}
      {actionsFor(account).map((action) => (
        <Fragment key={action}>
          {action === 'suspend' && <hr />}
          <MenuItemButton icon={icons[action]} danger={isDestructive(action)} onPress={() => onAsk(action)}>
            {t[action].item}
          </MenuItemButton>
        </Fragment>
      ))}
    </Menu>
  )
}
