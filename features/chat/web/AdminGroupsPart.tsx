import './admin-groups.css'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AdminNotLoaded } from '#features/people/web/ForAdmins.tsx'
import { api, apiPage, type Rows } from '#web/api.ts'
import { focusLater } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { adminFiguresKey } from '#web/modules.ts'
import { forgetInitialAnswers, initialAnswer } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { RowSkeleton } from '#web/ui/Loading.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import { Name, NameInSentence } from '#web/ui/Name.tsx'
import { ShortDate } from '#web/ui/Time.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { groups, type ListedGroup } from '../contract.ts'
import { adminGroupsText } from './admin-groups-text.ts'
import { RenameForm } from './RenameForm.tsx'

/** All groups, on the admin dashboard. */
export default function AdminGroupsPart() {
  const t = useText(adminGroupsText)
  const list = useAllGroups()
  return (
    <>
      <h2 className="admin-heading">{t.groups}</h2>
      {!list.data && list.isError && (
        <AdminNotLoaded error={list.error} pending={list.isFetching} onRetry={() => list.refetch()} />
      )}
      {!list.data && !list.isError && <RowSkeleton count={3} />}
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
    queryKey: [groups.all.path],
    queryFn: ({ pageParam }) => apiPage(groups.all, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    initialData: () => {
      const first = initialAnswer(groups.all)
      return first && { pages: [{ rows: first.body as ListedGroup[], next: first.next }], pageParams: [null] }
    },
  })

/** Changes the list on the screen, and fetches everything else that shows groups again. */
function useGroupsChanged() {
  const client = useQueryClient()
  return (change: (groups: ListedGroup[]) => ListedGroup[]) => {
    forgetInitialAnswers()
    client.setQueryData<InfiniteData<Rows<ListedGroup[]>>>(
      [groups.all.path],
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, rows: change(page.rows) })) },
    )
    for (const queryKey of [[groups.mine.path], adminFiguresKey]) client.invalidateQueries({ queryKey })
  }
}

type Asked = { what: 'rename' | 'remove'; group: ListedGroup }

function GroupList({ list }: { list: ListedGroup[] }) {
  const t = useText(adminGroupsText)
  const [asked, setAsked] = useState<Asked | null>(null)
  const changed = useGroupsChanged()
  const close = () => setAsked(null)

  const renamed = ({ id }: ListedGroup, name: string, message: string) => {
    changed((all) => all.map((one) => (one.id === id ? { ...one, name } : one)))
    toast(message)
  }
  const removed = ({ id, name }: ListedGroup) => {
    changed((all) => all.filter((one) => one.id !== id))
    toast(<NameInSentence words={t.removed} name={name} />)
    focusLater('h1')
  }
  if (!list.length) return <Empty title={t.noGroups} help={t.noGroupsHelp} />
  return (
    <>
      <ul className="boards">
        {list.map((group) => (
          <GroupRow key={group.id} group={group} onAsk={(what) => setAsked({ what, group })} />
        ))}
      </ul>
      {asked?.what === 'rename' && (
        <Dialog open title={t.renameTitle} onClose={close} className="confirm">
          <RenameForm
            group={asked.group}
            t={t}
            verb={t.renameVerb}
            onRenamed={(name, message) => renamed(asked.group, name, message)}
            onClose={close}
          />
        </Dialog>
      )}
      {asked?.what === 'remove' && (
        <Confirm
          title={<NameInSentence words={t.removeTitle} name={asked.group.name} />}
          verb={t.removeVerb}
          fatal
          run={() => api(groups.remove, { id: asked.group.id })}
          onDone={() => removed(asked.group)}
          onClose={close}
        >
          {t.removeHelp(asked.group.members_count)}
        </Confirm>
      )}
    </>
  )
}

type GroupRowProps = { group: ListedGroup; onAsk: (what: Asked['what']) => void }

function GroupRow({ group: { id, name, members_count, created_at }, onAsk }: GroupRowProps) {
  const t = useText(adminGroupsText)
  return (
    <li className="row" data-group={id}>
      <Avatar person={{ id, name, profile_image: null }} group />
      <div className="text">
        <Name className="name">{name}</Name>
        <span className="line pair">
          <span>{t.membersCount(members_count)}</span>
          <span>
            {t.since}
            <ShortDate at={created_at} />
          </span>
        </span>
      </div>
      <Menu
        label={t.moreAbout(name)}
        button={(props) => (
          <Button {...props} kind="bare" only small icon={Ellipsis} label={t.moreAbout(name)} />
        )}
      >
        <MenuButton icon={Pencil} onPress={() => onAsk('rename')}>
          {t.rename}
        </MenuButton>
        <hr />
        <MenuButton icon={Trash2} danger onPress={() => onAsk('remove')}>
          {t.remove}
        </MenuButton>
      </Menu>
    </li>
  )
}
