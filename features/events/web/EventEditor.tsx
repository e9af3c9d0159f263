import './event-editor.css'
import { type ReactNode, useId } from 'react'
import type { EditorProps } from '#web/composer-extras.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { pressed } from '#web/keyboard.ts'
import { toLocal } from '#web/local-time.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { MAX_GUESTS, MAX_PLACE, MAX_PLACES, MAX_TITLE, type NewEventInput, weekdays } from '../contract.ts'
import { editorText } from './editor-text.ts'
import { weekdayName } from './rule.ts'
import { WhenFields } from './WhenFields.tsx'

type Props = EditorProps<NewEventInput>
type Repeats = NonNullable<NewEventInput['repeats']>

/** The text of the post says more; without one, the title stands for it. */
export default function EventEditor({ value, onChange, disabled }: Props) {
  const t = useText(editorText)
  const lang = useLang()
  const set = (change: Partial<NewEventInput>) => onChange({ ...value, ...change })
  const isElsewhere = value.zone !== dates.timeZone()
  return (
    <fieldset className="event-editor" disabled={disabled}>
      <legend className="visually-hidden">{t.label}</legend>
      <Field
        label={t.title}
        value={value.title}
        dir="auto"
        required
        maxLength={MAX_TITLE}
        onChange={(event) => set({ title: event.target.value })}
        // Enter would send the post.
        onKeyDown={(event) => pressed(event) === 'Enter' && event.preventDefault()}
      />
      <WhenFields begins={value.begins} ends={value.ends} onChange={set} />
      {isElsewhere && (
        <p className="text-meta">
          {t.zone}: {dates.zoneName(value.zone, lang)}
        </p>
      )}
      <Field
        label={t.place}
        value={value.place ?? ''}
        dir="auto"
        maxLength={MAX_PLACE}
        onChange={(event) => set({ place: event.target.value })}
        onKeyDown={(event) => pressed(event) === 'Enter' && event.preventDefault()}
      />
      <details>
        <summary>{t.more}</summary>
        <PlaceFields places={value.places ?? null} answers_until={value.answers_until ?? null} onChange={set}>
          <NumberField
            label={t.guests}
            min={0}
            max={MAX_GUESTS}
            value={value.max_guests ?? 0}
            onChange={(max_guests) => set({ max_guests: max_guests ?? 0 })}
          />
        </PlaceFields>
        <Repetition value={value} onChange={set} />
      </details>
    </fieldset>
  )
}

interface PlaceProps {
  places: number | null
  answers_until: string | null
  onChange: (change: { places?: number | null; answers_until?: string | null }) => void
  children?: ReactNode
}

/** How many may come, and until when they answer. */
export function PlaceFields({ places, answers_until, onChange, children }: PlaceProps) {
  const t = useText(editorText)
  return (
    <div className="row-of-fields">
      <NumberField
        label={t.places}
        hint={t.placesHelp}
        min={1}
        max={MAX_PLACES}
        value={places}
        onChange={(next) => onChange({ places: next })}
      />
      {children}
      <Field
        label={t.until}
        type="datetime-local"
        value={answers_until ? toLocal(answers_until) : ''}
        onChange={({ target: { value } }) =>
          onChange({ answers_until: value ? new Date(value).toISOString() : null })
        }
      />
    </div>
  )
}

interface NumberProps {
  label: string
  hint?: string
  min: number
  max: number
  value: number | null
  onChange: (value: number | null) => void
}

const NumberField = ({ label, hint, min, max, value, onChange }: NumberProps) => (
  <Field
    label={label}
    hint={hint}
    type="number"
    inputMode="numeric"
    min={min}
    max={max}
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value === '' ? null : event.target.valueAsNumber)}
  />
)

const choices = {
  day: { unit: 'day' },
  week: { unit: 'week' },
  fortnight: { unit: 'week', every: 2 },
  month: { unit: 'month' },
  monthWeekday: { unit: 'month', by_weekday: true },
  year: { unit: 'year' },
} as const satisfies Record<string, Partial<Repeats>>

const choiceOf = ({ unit, every, by_weekday }: Repeats) =>
  unit === 'week' && every === 2 ? 'fortnight' : unit === 'month' && by_weekday ? 'monthWeekday' : unit

/** Three months later: a term. */
function laterDay(begins: string) {
  const day = new Date(`${begins.slice(0, 10)}T12:00Z`)
  if (Number.isNaN(day.getTime())) return ''
  day.setUTCMonth(day.getUTCMonth() + 3)
  return day.toISOString().slice(0, 10)
}

function Repetition({
  value,
  onChange,
}: {
  value: NewEventInput
  onChange: (change: Partial<NewEventInput>) => void
}) {
  const t = useText(editorText)
  const lang = useLang()
  const id = useId()
  const { repeats, begins } = value
  const names = { ...t.units, fortnight: t.fortnight, monthWeekday: t.monthWeekday }
  const choose = (name: string) =>
    onChange({
      repeats: name
        ? { ...choices[name as keyof typeof choices], until: repeats?.until || laterDay(begins) }
        : null,
    })
  const first = weekdays[(new Date(`${begins.slice(0, 10)}T12:00Z`).getUTCDay() + 6) % 7]
  const days = repeats?.days ?? []
  const toggle = (day: (typeof weekdays)[number]) =>
    onChange({
      repeats: {
        ...repeats!,
        days: days.includes(day) ? days.filter((one) => one !== day) : [...days, day],
      },
    })
  return (
    <div className="repetition">
      <div className="row-of-fields">
        <label className="field">
          <span className="label">{t.repeats}</span>
          <select
            className="input"
            value={repeats ? choiceOf(repeats) : ''}
            onChange={(event) => choose(event.target.value)}
          >
            <option value="">{t.never}</option>
            {Object.entries(choices).map(([name]) => (
              <option key={name} value={name}>
                {names[name as keyof typeof choices]}
              </option>
            ))}
          </select>
        </label>
        {repeats && (
          <Field
            label={t.lastDay}
            type="date"
            required
            min={begins.slice(0, 10)}
            value={repeats.until}
            onChange={(event) => onChange({ repeats: { ...repeats, until: event.target.value } })}
          />
        )}
      </div>
      {repeats?.unit === 'week' && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
        <div role="group" aria-labelledby={id} className="weekdays">
          <span id={id} className="text-meta">
            {t.days}
          </span>
          {weekdays
            .filter((day) => day !== first)
            .map((day) => (
              <Button
                key={day}
                small
                label={weekdayName(day, lang, 'long')}
                aria-pressed={days.includes(day)}
                onClick={() => toggle(day)}
              >
                {weekdayName(day, lang)}
              </Button>
            ))}
        </div>
      )}
    </div>
  )
}
