import './event-editor.css'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { type EventDate, eventEndpoints, MAX_PLACE, MAX_TITLE, type Scope } from '../contract.ts'
import { PlaceFields } from './EventEditor.tsx'
import { editorText } from './editor-text.ts'
import { eventPageText } from './page-text.ts'
import { ScopeField } from './ScopeField.tsx'
import { WhenFields } from './WhenFields.tsx'

interface Props {
  date: EventDate
  onChange: (date: EventDate) => void
  onClose: () => void
}

export function ChangeDialog({ date, onChange, onClose }: Props) {
  const t = useText(eventPageText)
  const editor = useText(editorText)
  const explain = useErrorText()
  const { title, place, begins, ends, places, answers_until } = date
  const [value, setValue] = useState({ title, place: place ?? '', begins, ends, places, answers_until })
  const [scope, setScope] = useState<Scope>('this')
  const [tell, setTell] = useState(true)
  const set = (change: Partial<typeof value>) => setValue((now) => ({ ...now, ...change }))
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(eventEndpoints.change, { id: date.id, scope, tell, ...value }),
    onSuccess: (changed) => {
      onClose()
      onChange(changed)
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <Dialog open title={t.changeTitle} onClose={onClose}>
      <form className="event-editor in-dialog" onSubmit={submit}>
        <Field
          label={editor.title}
          value={value.title}
          dir="auto"
          required
          maxLength={MAX_TITLE}
          onChange={(event) => set({ title: event.target.value })}
        />
        <WhenFields begins={value.begins} ends={value.ends} isFixed onChange={set} />
        <Field
          label={editor.place}
          value={value.place}
          dir="auto"
          maxLength={MAX_PLACE}
          onChange={(event) => set({ place: event.target.value })}
        />
        <PlaceFields places={value.places} answers_until={value.answers_until} onChange={set} />
        {date.rule && <ScopeField value={scope} onChange={setScope} />}
        <label className="check">
          <input type="checkbox" checked={tell} onChange={(event) => setTell(event.target.checked)} />
          {t.tell}
        </label>
        {error && <Notice kind="error">{explain(error)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
