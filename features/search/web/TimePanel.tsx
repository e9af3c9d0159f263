import { type FormEvent, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { filter, monday, since, today, until } from './filters.ts'
import { filterText } from './text.ts'

/** Times to choose with one press, or a first and a last day. */
export default function TimePanel({ onChoose }: { onChoose: (filters: readonly string[]) => void }) {
  const t = useText(filterText)
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const choices = [
    [t.today, filter('on', 'today')],
    [t.yesterday, filter('on', 'yesterday')],
    [t.week, since(monday())],
    [t.month, filter('on', today().slice(0, 7))],
  ] as const
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const days = [first && since(first), last && until(last)]
    if (first || last) onChoose(days.filter(Boolean))
  }
  return (
    <>
      <div className="filter-choices">
        {choices.map(([label, chosen]) => (
          <Button key={label} onClick={() => onChoose([chosen])}>
            {label}
          </Button>
        ))}
      </div>
      <form className="filter-days" onSubmit={submit}>
        <Field
          label={t.firstDay}
          type="date"
          max={last || undefined}
          value={first}
          onChange={(event) => setFirst(event.target.value)}
        />
        <Field
          label={t.lastDay}
          type="date"
          min={first || undefined}
          value={last}
          onChange={(event) => setLast(event.target.value)}
        />
        <Button type="submit" disabled={!first && !last}>
          {t.apply}
        </Button>
      </form>
    </>
  )
}
