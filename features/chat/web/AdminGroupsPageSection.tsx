import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import './create-group.css'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AdminDataLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint, type FetchedListPage, fetchListPage } from '#web/api.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { findInitialEndpointResponse, forgetInitialEndpointResponses } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName, UserText } from '#web/ui/UserText.tsx'
import { adminStatisticsQueryKey } from '#web/web-modules.ts'
import { type AdminListedGroup, groupEndpoints } from '../group-contract.ts'
import { adminGroupsText } from './admin-groups-text.ts'
import { RenameGroupForm } from './RenameGroupForm.tsx'

/** Renders the section of the admin dashboard that lists all groups. */
export default function AdminGroupsPageSection() {
  const t = useText(adminGroupsText)
  const list = useAllGroups()
  return (
    <>
      <h2 className="admin-heading">{t.groups}</h2>
      {!list.data && list.isError && (
        <AdminDataLoadError error={list.error} pending={list.isFetching} onRetry={() => list.refetch()} />
      )}
      {!list.data && !list.isError && <RowListSkeleton count={3} />}
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
    queryFn: ({ pageParam }) => fetchListPage(groupEndpoints.all, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    initialData: () => {
      const first = findInitialEndpointResponse(groupEndpoints.all)
      return (
        first && { pages: [{ rows: first.body as AdminListedGroup[], next: first.next }], pageParams: [null] }
      )
    },
  })

/**
 * Returns a function that changes the list of all groups in the query cache, and refetches the admin's own
 * groups and the statistics of the dashboard.
 */
function useUpdateGroupsCache() {
  const client = useQueryClient()
  return (change: (groups: AdminListedGroup[]) => AdminListedGroup[]) => {
    forgetInitialEndpointResponses()
    client.setQueryData<InfiniteData<FetchedListPage<AdminListedGroup[]>>>(
      [groupEndpoints.all.path],
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, rows: change(page.rows) })) },
    )
    for (const queryKey of [[groupEndpoints.mine.path], adminStatisticsQueryKey])
      client.invalidateQueries({ queryKey })
  }
}

type OpenDialog = { action: 'rename' | 'remove'; group: AdminListedGroup }

function GroupList({ list }: { list: AdminListedGroup[] }) {
  const t = useText(adminGroupsText)
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const updateCache = useUpdateGroupsCache()
  const { run, dialog } = useIdentityConfirmation()
  const close = () => setOpenDialog(null)

  const renamed = ({ id }: AdminListedGroup, name: string, message: string) => {
    updateCache((all) => all.map((one) => (one.id === id ? { ...one, name } : one)))
    showToast(message)
  }
  const removed = ({ id, name }: AdminListedGroup) => {
    updateCache((all) => all.filter((one) => one.id !== id))
    showToast(<SentenceWithName words={t.removed} name={name} />)
    focusFirstMatchOnceRendered('h1')
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
          <RenameGroupForm
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

type GroupRowProps = { group: AdminListedGroup; onAction: (action: OpenDialog['action']) => void }

function GroupRow({ group: { id, name, picture, members_count, created_at }, onAction }: GroupRowProps) {
  const t = useText(adminGroupsText)
  return (
    <li className="row" data-group={id}>
      <Avatar person={{ id, name, profile_image: picture ?? null }} group />
      <div className="text">
        <UserText className="name">{name}</UserText>
        <span className="line row-facts">
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
