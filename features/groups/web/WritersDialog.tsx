import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { Reading } from '#features/people/web/Reading.tsx'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Group, writersEndpoints } from '../contract.ts'
import { writersText } from './text.ts'
import { useGroupMembers } from './useMembers.ts'

export function WritersDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(writersText)
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const members = useGroupMembers(group.id)
  const [isChosen, setIsChosen] = useState(group.chosen_writers ?? false)
  const [changed, setChanged] = useState<Readonly<Record<number, boolean>>>({})
  const idsOf = (is: boolean) =>
    Object.keys(changed)
      .map(Number)
      .filter((id) => changed[id] === is)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      run(() => {
        const writers = isChosen ? 'chosen' : 'all'
        return callEndpoint(writersEndpoints.set, {
          ...{ id: group.id, writers, add: idsOf(true), remove: idsOf(false) },
        })
      }),
    onSuccess: ({ message }) => {
      void members.reload()
      onClose()
      showToast(message)
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <Dialog open title={t.title} onClose={onClose} className="confirm">
      <form className="stack" onSubmit={submit}>
        <p>{t.help}</p>
        <RadioGroup
          label={t.who}
          choices={[
            { value: 'all', label: t.all },
            { value: 'chosen', label: t.chosen },
          ]}
          inputProps={(value) => ({
            checked: (value === 'chosen') === isChosen,
            onChange: () => setIsChosen(value === 'chosen'),
          })}
        />
        {isChosen && (
          <Writers
            members={members}
            changed={changed}
            onChange={(id, is) => setChanged({ ...changed, [id]: is })}
          />
        )}
        {error && !(error instanceof CancelledError) && <Notice kind="error">{explain(error)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
      {dialog}
    </Dialog>
  )
}

interface WritersProps {
  members: ReturnType<typeof useGroupMembers>
  changed: Readonly<Record<number, boolean>>
  onChange: (id: number, isWriter: boolean) => void
}

function Writers({ members, changed, onChange }: WritersProps) {
  const t = useText(writersText)
  const explain = useErrorText()
  const { rows, error, hasNextPage, isFetchingNextPage, fetchNextPage } = members
  if (error) return <Notice kind="error">{explain(error)}</Notice>
  if (!rows) return <RowSkeletons count={3} />
  return (
    <fieldset className="choices">
      <legend>{t.people}</legend>
      {rows
        .filter((member) => !member.is_owner)
        .map(({ id, is_writer = false, ...member }) => (
          <label className="check" key={id}>
            <input
              type="checkbox"
              checked={changed[id] ?? is_writer}
              onChange={({ target }) => onChange(id, target.checked)}
            />
            <span>
              <UserText>{member.name}</UserText> <Reading person={member} aria-hidden />
            </span>
          </label>
        ))}
      {hasNextPage && (
        <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </fieldset>
  )
}
