import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { groups as groupCalls } from '#features/chat/contract.ts'
import { ApiError, api, type Rows } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { focusLater } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { admin, type ListedGroup } from '../contract.ts'
import { Confirm } from './Confirm.tsx'
import { NameInSentence } from './NameInSentence.tsx'
import { ShortDate } from './ShortDate.tsx'
import { adminText } from './text.ts'

/** The list as it is after a change, here and wherever else groups were fetched. */
function useGroupsChanged() {
  const client = useQueryClient()
  return (change: (groups: ListedGroup[]) => ListedGroup[]) => {
    forgetInitialAnswers()
    client.setQueryData<InfiniteData<Rows<ListedGroup[]>>>(
      [admin.groups.path],
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, rows: change(page.rows) })) },
    )
    for (const path of [admin.facts.path, groupCalls.mine.path])
      client.invalidateQueries({ queryKey: [path] })
  }
}

type Asked = { what: 'rename' | 'remove'; group: ListedGroup }

export function Groups({ groups }: { groups: ListedGroup[] }) {
  const t = useText(adminText)
  const [asked, setAsked] = useState<Asked | null>(null)
  const changed = useGroupsChanged()
  const close = () => setAsked(null)

  const renamed = (group: ListedGroup, message: string) => {
    changed((all) => all.map((one) => (one.id === group.id ? group : one)))
    toast(message)
  }
  const removed = ({ id, name }: ListedGroup) => {
    changed((all) => all.filter((one) => one.id !== id))
    toast(<NameInSentence words={t.removed} name={name} />)
    focusLater('h1')
  }
  if (!groups.length) return <Empty title={t.noGroups} help={t.noGroupsHelp} />
  return (
    <>
      <ul className="boards">
        {groups.map((group) => (
          <GroupRow key={group.id} group={group} onAsk={(what) => setAsked({ what, group })} />
        ))}
      </ul>
      {asked?.what === 'rename' && <Rename group={asked.group} onRenamed={renamed} onClose={close} />}
      {asked?.what === 'remove' && (
        <Confirm
          title={<NameInSentence words={t.removeTitle} name={asked.group.name} />}
          verb={t.removeVerb}
          fatal
          run={() => api(groupCalls.remove, { id: asked.group.id })}
          onDone={() => removed(asked.group)}
          onClose={close}
        >
          {t.removeHelp(asked.group.members_count)}
        </Confirm>
      )}
    </>
  )
}

function GroupRow({
  group: { id, name, members_count, created_at },
  onAsk,
}: {
  group: ListedGroup
  onAsk: (what: Asked['what']) => void
}) {
  const t = useText(adminText)
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

interface RenameProps {
  group: ListedGroup
  onRenamed: (group: ListedGroup, message: string) => void
  onClose: () => void
}
function Rename({ group, onRenamed, onClose }: RenameProps) {
  const t = useText(adminText)
  const explain = useExplain()
  const [name, setName] = useState(group.name)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (name: string) => api(groupCalls.rename, { id: group.id, name }),
    onSuccess: ({ message }, name) => {
      onClose()
      onRenamed({ ...group, name: name.trim().replace(/\s+/g, ' ') }, message)
    },
    onError: (error) => isHttpError(error, 401) && pleaseLogIn(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(name)
  }
  const wrong = error instanceof ApiError ? error.errors.name?.[0] : undefined
  return (
    <Dialog open title={t.renameTitle} onClose={onClose} className="confirm">
      <form noValidate onSubmit={submit}>
        <Field
          label={t.groupName}
          error={wrong}
          name="name"
          dir="auto"
          autoComplete="off"
          value={name}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
        />
        {error && !wrong && <Notice kind="bad">{explain(error)}</Notice>}
        <div className="choose">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.renameVerb}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
