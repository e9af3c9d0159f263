import { type FormEvent, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { adminText } from './text.ts'
import { useSetting } from './useSetting.ts'

export function NameSetting({ saved }: { saved: string }) {
  const t = useText(adminText)
  const [typed, setTyped] = useState(saved)
  const [, change, dialog] = useSetting('community_name', saved)
  const name = typed.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name && name !== saved) change(name)
  }
  return (
    <form className="card setting" onSubmit={submit}>
      <Field
        label={t.communityName}
        hint={t.communityNameHint}
        value={typed}
        maxLength={60}
        dir="auto"
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="form-actions">
        <Button type="submit" disabled={!name || name === saved}>
          {t.save}
        </Button>
      </div>
      {dialog}
    </form>
  )
}
