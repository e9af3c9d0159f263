import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import './create.css'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { conversationEndpoints } from '#features/conversations/contract.ts'
import { AdminLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint, fetchPage, type ListPage } from '#web/api.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { findAnswer, forgetAnswers } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName, UserText } from '#web/ui/UserText.tsx'
import { statisticsKey } from '#web/web-modules.ts'
import { type AdminGroup, groupEndpoints } from '../contract.ts'
import { adminGroupsText } from './admin-text.ts'
import { RenameForm } from './RenameForm.tsx'

export default function AdminPageSection() {
  const t = useText(adminGroupsText)
  const list = useAllGroups()
  return (
    <>
      <h2 className="admin-heading">{t.groups}</h2>
      {!list.data && list.isError && (
        <AdminLoadError error={list.error} pending={list.isFetching} onRetry={() => list.refetch()} />
      )}
      {!list.data && !list.isError && <RowSkeletons count={3} />}
      {list.data && <GroupList list={list.data.pages.flatMap((page) => page.rows)} />}
      {list.hasNextPage && (
        <p className="list-more">
          <Button pending={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {t.loadMore}
          </Button>
        </p>
      )}
    </>
  )
}

const useAllGroups = () =>
  useInfiniteQuery({
    queryKey: [groupEndpoints.all.path],
    queryFn: ({ pageParam }) => fetchPage(groupEndpoints.all, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    initialData: () => {
      const first = findAnswer(groupEndpoints.all)
      return first && { pages: [{ rows: first.body as AdminGroup[], next: first.next }], pageParams: [null] }
    },
  })

/** Changes the cached list of all groups, and refetches the admin's own groups and the statistics. */
function useUpdateGroupsCache() {
  const client = useQueryClient()
  return (change: (groups: AdminGroup[]) => AdminGroup[]) => {
    forgetAnswers()
    client.setQueryData<InfiniteData<ListPage<AdminGroup[]>>>(
      [groupEndpoints.all.path],
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, rows: change(page.rows) })) },
    )
    for (const queryKey of [[conversationEndpoints.groups.path], statisticsKey])
      client.invalidateQueries({ queryKey })
  }
}

type OpenDialog = { action: 'rename' | 'remove'; group: AdminGroup }

function GroupList({ list }: { list: AdminGroup[] }) {
  const t = useText(adminGroupsText)
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const updateCache = useUpdateGroupsCache()
  const { run, dialog } = useConfirmation()
  const close = () => setOpenDialog(null)

  const renamed = ({ id }: AdminGroup, name: string, message: string) => {
    updateCache((all) => all.map((one) => (one.id === id ? { ...one, name } : one)))
    showToast(message)
  }
  const removed = ({ id, name }: AdminGroup) => {
    updateCache((all) => all.filter((one) => one.id !== id))
    showToast(<SentenceWithName words={t.removed} name={name} />)
    focusFirst('h1')
  }
  if (!list.length) return <EmptyState title={t.noGroups} help={t.noGroupsHelp} />
  return (
    <>
      <ul className="cards">
        {list.map((group) => (
          <GroupRow key={group.id} group={group} onAction={(action) => setOpenDialog({ action, group })} />
        ))}
      </ul>
      {openDialog?.action === 'rename' && (
        <Dialog open title={t.renameTitle} onClose={close} className="confirm">
          <RenameForm
            group={openDialog.group}
            t={t}
            submitLabel={t.renameVerb}
            onRenamed={(name, message) => renamed(openDialog.group, name, message)}
            onClose={close}
          />
        </Dialog>
      )}
      {openDialog?.action === 'remove' && (
        <ConfirmDialog
          title={<SentenceWithName words={t.removeTitle} name={openDialog.group.name} />}
          confirmLabel={t.removeVerb}
          isDestructive
          onConfirm={() => run(() => callEndpoint(groupEndpoints.remove, { id: openDialog.group.id }))}
          onDone={() => removed(openDialog.group)}
          onClose={close}
        >
          {t.removeHelp(openDialog.group.members_count)}
          {dialog}
        </ConfirmDialog>
      )}
    </>
  )
}

type GroupRowProps = { group: AdminGroup; onAction: (action: OpenDialog['action']) => void }

function GroupRow({ group, onAction }: GroupRowProps) {
  const { id, name, picture, members_count, created_at, has_ended } = group
  const t = useText(adminGroupsText)
  return (
    <li className="row" data-group={id}>
      <Avatar person={{ id, name, profile_image: picture ?? null }} group />
      <div className="text">
        <UserText className="name">{name}</UserText>
        <span className="line row-facts">
          {has_ended && <span className="chip">{t.hasEnded}</span>}
          <span>{t.membersCount(members_count)}</span>
          <span>
            {t.createdOn}
            <ShortDate at={created_at} />
          </span>
        </span>
      </div>
      <Menu
        label={t.moreAbout(name)}
        renderButton={(props) => (
          <Button {...props} kind="ghost" iconOnly small icon={Ellipsis} label={t.moreAbout(name)} />
        )}
      >
        <MenuItemButton icon={Pencil} onPress={() => onAction('rename')}>
          {t.rename}
        </MenuItemButton>
        <hr />
        <MenuItemButton icon={Trash2} danger onPress={() => onAction('remove')}>
          {t.remove}
        </MenuItemButton>
      </Menu>
    </li>
  )
}
