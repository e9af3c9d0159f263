import { useMutation } from '@tanstack/react-query'
import { Ellipsis, LogOut, PencilLine, Trash2, UserPlus, Users } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Confirm } from '#web/ui/Confirm.tsx'
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

/** The menu of a group. Admins have more items than other members. */
export function GroupMenu({ group, me }: { group: Group; me: Me }) {
  const t = useText(chatText)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [, go] = useLocation()
  const close = () => setAsked(null)
  const goToList = ({ message }: { message: string }) => {
    toast(message)
    go('/my-groups')
  }
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
        <Confirm
          title={t.leaveTitle(group.name)}
          keep={t.stay}
          verb={t.leave}
          fatal
          run={() => api(groups.leave, { id: group.id })}
          onDone={goToList}
          onClose={close}
        >
          {t.leaveHelp}
        </Confirm>
      )}
      {asked === 'delete' && (
        <Confirm
          title={t.deleteGroupTitle(group.name)}
          keep={t.keep}
          verb={t.deleteGroup}
          fatal
          run={() => api(groups.remove, { id: group.id })}
          onDone={goToList}
          onClose={close}
        >
          {t.deleteGroupHelp}
        </Confirm>
      )}
    </>
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
