import { useMutation } from '@tanstack/react-query'
import { Ellipsis, LogOut, PencilLine, Trash2, UserPlus, Users } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { type Group, groups } from '../contract.ts'
import { AddPeople, Members } from './MembersDialog.tsx'
import { chatText } from './text.ts'

type Asked = 'members' | 'add' | 'rename' | 'leave' | 'delete'

/** What a member may do with a group, and what an admin may besides. */
export function GroupMenu({ group, me }: { group: Group; me: Me }) {
  const t = useText(chatText)
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <Menu
        label={t.more}
        button={(props) => (
          <button {...props} className="button bare only" aria-label={t.more}>
            <Icon of={Ellipsis} />
          </button>
        )}
      >
        <MenuButton icon={Users} onPress={() => setAsked('members')}>
          {t.showMembers}
        </MenuButton>
        {me.is_admin && (
          <>
            <MenuButton icon={UserPlus} onPress={() => setAsked('add')}>
              {t.addPeople}
            </MenuButton>
            <MenuButton icon={PencilLine} onPress={() => setAsked('rename')}>
              {t.rename}
            </MenuButton>
          </>
        )}
        <hr />
        <MenuButton icon={LogOut} danger onPress={() => setAsked('leave')}>
          {t.leave}
        </MenuButton>
        {me.is_admin && (
          <MenuButton icon={Trash2} danger onPress={() => setAsked('delete')}>
            {t.deleteGroup}
          </MenuButton>
        )}
      </Menu>
      {asked === 'members' && <Members group={group} me={me} onClose={close} />}
      {asked === 'add' && <AddPeople group={group} onClose={close} />}
      {asked === 'rename' && <Rename group={group} onClose={close} />}
      {asked === 'leave' && (
        <Sure
          title={t.leaveTitle(group.name)}
          help={t.leaveHelp}
          keep={t.stay}
          act={t.leave}
          run={() => api(groups.leave, { id: group.id })}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <Sure
          title={t.deleteGroupTitle(group.name)}
          help={t.deleteGroupHelp}
          keep={t.keep}
          act={t.deleteGroup}
          run={() => api(groups.remove, { id: group.id })}
          onClose={close}
        />
      )}
    </>
  )
}

interface SureProps {
  title: string
  help: ReactNode
  keep: string
  act: string
  run: () => Promise<{ message: string }>
  onClose: () => void
}
/** Asks before something that ends the chat for somebody. */
function Sure({ title, help, keep, act, run, onClose }: SureProps) {
  const explain = useExplain()
  const [, go] = useLocation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: run,
    onSuccess: ({ message }) => {
      toast(message)
      go('/my-groups')
    },
  })
  return (
    <Dialog open title={title} onClose={onClose}>
      <p>{help}</p>
      {error && <Notice kind="bad">{explain(error)}</Notice>}
      <div className="choose">
        <Button onClick={onClose}>{keep}</Button>
        <Button kind="sure" pending={isPending} onClick={() => mutate()}>
          {act}
        </Button>
      </div>
    </Dialog>
  )
}

function Rename({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(chatText)
  const explain = useExplain()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (name: string) => api(groups.rename, { id: group.id, name }),
    onSuccess: ({ message }) => {
      toast(message)
      onClose()
    },
  })
  const wrong = error instanceof ApiError ? error.errors.name?.[0] : undefined
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('name')))
  }
  return (
    <Dialog open title={t.renameTitle(group.name)} onClose={onClose}>
      <form className="stack" noValidate onSubmit={submit}>
        <Field
          label={t.groupName}
          name="name"
          dir="auto"
          autoComplete="off"
          defaultValue={group.name}
          error={wrong}
        />
        {error && !wrong && <Notice kind="bad">{explain(error)}</Notice>}
        <div className="choose">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
