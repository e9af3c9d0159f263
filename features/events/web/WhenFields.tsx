import { useState } from 'react'
import { useText } from '#web/i18n.ts'
import { Field } from '#web/ui/Field.tsx'
import { editorText } from './editor-text.ts'

interface Span {
  begins: string
  ends: string
}

interface Props extends Span {
  onChange: (span: Span) => void
  /** Of a date that exists: whole days stay whole days. */
  isFixed?: boolean
}

const dayOf = (wall: string) => wall.slice(0, 10)
const timeOf = (wall: string) => wall.slice(11)
const isWhole = ({ begins }: Span) => !begins.includes('T')

function nextDay(day: string) {
  const next = new Date(`${day}T12:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return Number.isNaN(next.getTime()) ? day : next.toISOString().slice(0, 10)
}

/** An end before the beginning is on the next day. */
const onOneDay = (day: string, from: string, to: string): Span => ({
  begins: `${day}T${from}`,
  ends: `${to && to <= from ? nextDay(day) : day}T${to}`,
})

/** A day and times of day, whole days, or a beginning and an end on different days. */
export function WhenFields({ onChange, isFixed, ...span }: Props) {
  const t = useText(editorText)
  const whole = isWhole(span)
  const [begin, end] = [dayOf(span.begins), dayOf(span.ends)]
  const [hasEndDay, setHasEndDay] = useState(() => !whole && end !== begin && end !== nextDay(begin))
  const [from, to] = [timeOf(span.begins), timeOf(span.ends)]
  const setDay = (day: string) =>
    onChange(
      whole
        ? { begins: day, ends: end < day ? day : end }
        : hasEndDay
          ? { begins: `${day}T${from}`, ends: `${end < day ? day : end}T${to}` }
          : onOneDay(day, from, to),
    )
  const setTimes = (first: string, last: string) =>
    onChange(
      hasEndDay ? { begins: `${begin}T${first}`, ends: `${end}T${last}` } : onOneDay(begin, first, last),
    )
  return (
    <div className="when-fields">
      <div className="row-of-fields">
        <Field
          label={t.beginDay}
          type="date"
          required
          value={begin}
          onChange={(event) => setDay(event.target.value)}
        />
        {!whole && (
          <Field
            label={t.beginTime}
            type="time"
            required
            value={from}
            onChange={(event) => setTimes(event.target.value, to)}
          />
        )}
        {(whole || hasEndDay) && (
          <Field
            label={t.endDay}
            type="date"
            required
            min={begin}
            value={end}
            onChange={({ target: { value } }) =>
              onChange(
                whole ? { begins: begin, ends: value } : { begins: span.begins, ends: `${value}T${to}` },
              )
            }
          />
        )}
        {!whole && (
          <Field
            label={t.endTime}
            type="time"
            required
            value={to}
            onChange={(event) => setTimes(from, event.target.value)}
          />
        )}
      </div>
      <div className="when-checks">
        {!isFixed && (
          <label className="check">
            <input
              type="checkbox"
              checked={whole}
              onChange={({ target: { checked } }) =>
                onChange(checked ? { begins: begin, ends: end } : onOneDay(begin, '10:00', '12:00'))
              }
            />
            {t.allDay}
          </label>
        )}
        {!whole && (
          <label className="check">
            <input
              type="checkbox"
              checked={hasEndDay}
              onChange={({ target: { checked } }) => {
                setHasEndDay(checked)
                if (!checked) onChange(onOneDay(begin, from, to))
              }}
            />
            {t.severalDays}
          </label>
        )}
      </div>
    </div>
  )
}
