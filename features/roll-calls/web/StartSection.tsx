import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { MAX_TITLE, rollCallEndpoints } from '../contract.ts'
import { detailsKey, listKey } from './queries.ts'
import { startText } from './text.ts'

const templates = ['earthquake', 'storm', 'fire', 'other'] as const

/** For those who may ask somebody: one press opens the form, the second one asks. */
export function StartSection() {
  const t = useText(startText)
  const [isOpen, setOpen] = useState(false)
  const { data: scopes } = useQuery({
    queryKey: [rollCallEndpoints.scopes.path],
    queryFn: () => callEndpoint(rollCallEndpoints.scopes, {}),
  })
  if (!scopes || (!scopes.everyone && !scopes.groups.length)) return null
  const [only] = scopes.groups
  const numbers = scopes.everyone ? '/roll-calls/numbers' : `/roll-calls/numbers?group_id=${only!.id}`
  return (
    <section className="card roll-call">
      <h2>{t.title}</h2>
      {isOpen ? (
        <StartForm scopes={scopes} onClose={() => setOpen(false)} />
      ) : (
        <div className="roll-call-actions">
          <Button kind="primary" onClick={() => setOpen(true)}>
            {t.begin}
          </Button>
          <a className="button secondary" href={numbers} target="_blank" rel="noreferrer">
            {t.print}
          </a>
        </div>
      )}
    </section>
  )
}

interface Props {
  scopes: { everyone: boolean; groups: readonly { id: number; name: string }[] }
  onClose: () => void
}

interface Started {
  title: string
  group_id: number | null
}

/** A drill begins at once. */
function StartForm({ scopes, onClose }: Props) {
  const t = useText(startText)
  const id = useId()
  const client = useQueryClient()
  const explain = useErrorText()
  const [template, setTemplate] = useState<(typeof templates)[number]>('earthquake')
  const [isDrill, setDrill] = useState(false)
  const [asking, setAsking] = useState<Started | null>(null)
  const { mutate, mutateAsync, isPending, error } = useMutation({
    mutationFn: (input: Started) => callEndpoint(rollCallEndpoints.start, { ...input, is_drill: isDrill }),
    onSuccess: (details) => {
      client.setQueryData(detailsKey(details.id), details)
      void client.invalidateQueries({ queryKey: listKey })
      showToast(t.started, { key: 'roll call' })
      navigate(`/roll-calls/${details.id}`)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const title = template === 'other' ? String(form.get('title')) : t[template]
    const started = { title, group_id: Number(form.get('group')) || null }
    if (isDrill) mutate(started)
    else setAsking(started)
  }
  const group = scopes.groups.find((one) => one.id === asking?.group_id)
  return (
    <>
      <form className="roll-call-form" onSubmit={submit}>
        <RadioGroup
          label={t.template}
          choices={templates.map((value) => ({ value, label: t[value] }))}
          inputProps={(value) => ({ checked: value === template, onChange: () => setTemplate(value) })}
        />
        {template === 'other' && <Field label={t.sentence} name="title" required maxLength={MAX_TITLE} />}
        <div className="field">
          <label htmlFor={id}>{t.who}</label>
          <select className="input" id={id} name="group">
            {scopes.everyone && <option value="">{t.everyone}</option>}
            {scopes.groups.map((group) => (
              <option key={group.id} value={group.id}>
                {group.name}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label className="check">
            <input
              type="checkbox"
              checked={isDrill}
              aria-describedby={`${id}-drill`}
              onChange={(event) => setDrill(event.target.checked)}
            />
            {t.drill}
          </label>
          <p className="hint" id={`${id}-drill`}>
            {t.drillHelp}
          </p>
        </div>
        {error && <Notice kind="error">{explain(error)}</Notice>}
        <div className="roll-call-actions">
          <Button type="submit" kind="primary" pending={isPending}>
            {isDrill ? t.startDrill : t.start}
          </Button>
          <Button onClick={onClose}>{t.cancel}</Button>
        </div>
      </form>
      {asking && (
        <ConfirmDialog
          title={t.askTitle}
          confirmLabel={t.start}
          onConfirm={() => mutateAsync(asking)}
          onClose={() => setAsking(null)}
        >
          <p>{asking.title}</p>
          <p>{t.askHelp(group?.name)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
