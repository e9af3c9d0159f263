import './poll-editor.css'
import { Plus, X } from 'lucide-react'
import type { EditorProps } from '#web/composer-extras.ts'
import { useText } from '#web/i18n.ts'
import { pressed } from '#web/keyboard.ts'
import { toLocal } from '#web/local-time.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'
import { MAX_OPTION_LENGTH, MAX_OPTIONS, type NewPollInput } from '../contract.ts'
import { editorText } from './editor-text.ts'

type Props = EditorProps<NewPollInput>
type Kind = NewPollInput['kind']
const kinds = ['choice', 'attendance', 'dates'] as const

const emptyOf = {
  choice: { kind: 'choice', options: ['', ''] },
  attendance: { kind: 'attendance' },
  dates: { kind: 'dates', options: [{ day: '', time: '' }] },
} satisfies Record<Kind, NewPollInput>

/** The text of the post or message is the question. The server leaves out what is empty. */
export default function PollEditor({ value, onChange, disabled }: Props) {
  const t = useText(editorText)
  const { results, ends_at } = value
  const choose = (kind: Kind) =>
    kind !== value.kind &&
    onChange({ ...emptyOf[kind], ...(results && { results }), ...(ends_at && { ends_at }) })
  return (
    <fieldset className="poll-editor" disabled={disabled}>
      <legend className="visually-hidden">{t.label}</legend>
      <SegmentedControl
        label={t.label}
        onCard
        options={kinds.map((kind) => ({ value: kind, label: t.kinds[kind] }))}
        value={value.kind}
        onChange={choose}
      />
      <p className="text-meta">{t.help[value.kind]}</p>
      {value.kind === 'choice' && (
        <Choices
          options={value.options as string[]}
          onChange={(options) => onChange({ ...value, options })}
        />
      )}
      {value.kind === 'dates' && (
        <Days options={value.options as Day[]} onChange={(options) => onChange({ ...value, options })} />
      )}
      <details>
        <summary>{t.more}</summary>
        <Settings value={value} onChange={onChange} />
      </details>
    </fieldset>
  )
}

interface RowsProps<T> {
  options: readonly T[]
  onChange: (options: T[]) => void
}

const without = <T,>(options: readonly T[], at: number) => options.filter((_, index) => index !== at)
const replaced = <T,>(options: readonly T[], at: number, option: T) =>
  options.map((one, index) => (index === at ? option : one))

/** There is always an empty row at the end, up to the limit. */
function Choices({ options, onChange }: RowsProps<string>) {
  const t = useText(editorText)
  const write = (at: number, text: string) => {
    const next = replaced(options, at, text)
    onChange(next.at(-1) && next.length < MAX_OPTIONS ? [...next, ''] : next)
  }
  return (
    <ol>
      {options.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and keep their order
        <li key={index} className="input-and-button">
          <input
            className="input"
            aria-label={t.choice(index + 1)}
            placeholder={t.choice(index + 1)}
            dir="auto"
            maxLength={MAX_OPTION_LENGTH}
            value={text}
            onChange={(event) => write(index, event.target.value)}
            // Enter would send the post or message.
            onKeyDown={(event) => pressed(event) === 'Enter' && event.preventDefault()}
          />
          <Button
            kind="ghost"
            iconOnly
            icon={X}
            label={t.remove(index + 1)}
            disabled={options.length <= 2}
            onClick={() => onChange(without(options, index))}
          />
        </li>
      ))}
    </ol>
  )
}

interface Day {
  day: string
  time: string
}

function Days({ options, onChange }: RowsProps<Day>) {
  const t = useText(editorText)
  // The next day begins with the time of the last one.
  const add = () => onChange([...options, { day: '', time: options.at(-1)!.time }])
  return (
    <>
      <ol>
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and keep their order
          <li key={index} className="day-row">
            <input
              className="input"
              type="date"
              aria-label={t.day(index + 1)}
              value={option.day}
              onChange={(event) => onChange(replaced(options, index, { ...option, day: event.target.value }))}
            />
            <input
              className="input"
              type="time"
              aria-label={t.time(index + 1)}
              value={option.time}
              onChange={(event) =>
                onChange(replaced(options, index, { ...option, time: event.target.value }))
              }
            />
            <Button
              kind="ghost"
              iconOnly
              icon={X}
              label={t.remove(index + 1)}
              disabled={options.length <= 1}
              onClick={() => onChange(without(options, index))}
            />
          </li>
        ))}
      </ol>
      {options.length < MAX_OPTIONS && (
        <Button kind="ghost" icon={Plus} className="add-choice" onClick={add}>
          {t.addDay}
        </Button>
      )}
    </>
  )
}

function Settings({ value, onChange }: Pick<Props, 'value' | 'onChange'>) {
  const t = useText(editorText)
  const setEnd = (local: string) =>
    onChange({ ...value, ends_at: local ? new Date(local).toISOString() : null })
  return (
    <div className="poll-settings">
      {value.kind === 'choice' && <ChoiceSettings value={value} onChange={onChange} />}
      <Field
        label={t.endsAt}
        type="datetime-local"
        value={value.ends_at ? toLocal(value.ends_at) : ''}
        onChange={(event) => setEnd(event.target.value)}
      />
      <label className="field">
        <span className="label">{t.results}</span>
        <select
          className="input"
          value={value.results ?? 'always'}
          onChange={(event) => onChange({ ...value, results: event.target.value as 'always' })}
        >
          {(['always', 'voted', 'end'] as const).map((when) => (
            <option key={when} value={when}>
              {t.when[when]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

type ChoiceValue = Extract<NewPollInput, { kind: 'choice' }>

function ChoiceSettings({ value, onChange }: { value: ChoiceValue; onChange: Props['onChange'] }) {
  const t = useText(editorText)
  const boxes = [
    [t.several, value.choices === 'several', (on: boolean) => ({ choices: on ? 'several' : 'one' })],
    [t.secret, value.ballot === 'secret', (on: boolean) => ({ ballot: on ? 'secret' : 'named' })],
    [t.all, value.options_from === 'all', (on: boolean) => ({ options_from: on ? 'all' : 'author' })],
  ] as const
  return boxes.map(([label, isOn, change]) => (
    <label key={label} className="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange({ ...value, ...change(event.target.checked) } as ChoiceValue)}
      />
      {label}
    </label>
  ))
}
