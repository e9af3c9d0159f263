import { Circle, Minus, Plus, Triangle, X } from 'lucide-react'
import { useId, useState } from 'react'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { type Answer, answers, type EventDate, MAX_NOTE, type MyAnswer } from '../contract.ts'
import { eventText } from './text.ts'
import { useAnswer } from './useAnswer.ts'

const icons = { yes: Circle, maybe: Triangle, no: X }

export interface DateProps {
  date: EventDate
  /** What the server answers to a change. */
  onChange: (date: EventDate) => void
}

/** The member, and the children for whom the member may answer. */
export function Answers({ date, onChange }: DateProps) {
  const t = useText(eventText)
  return (
    <>
      <Person date={date} onChange={onChange} label={t.answer(date.title)} mine={date.mine} isFirst />
      {date.children?.map(({ child, mine }) => (
        <div key={child.id} className="for-child">
          <p className="text-meta">{t.forChild(child.name)}</p>
          <Person
            date={date}
            onChange={onChange}
            label={`${t.forChild(child.name)}: ${date.title}`}
            mine={mine}
            child={child.id}
          />
        </div>
      ))}
    </>
  )
}

interface PersonProps extends DateProps {
  label: string
  mine: MyAnswer | null
  child?: number
  /** Shows the numbers of all. */
  isFirst?: boolean
}

function Person({ date, onChange, label, mine, child, isFirst }: PersonProps) {
  const { send, wanted, isPending } = useAnswer(date, onChange, child)
  const chosen = wanted ?? mine?.answer
  const choose = (answer: Answer) =>
    send({ answer, note: mine?.note ?? null, guests: answer === 'yes' ? (mine?.guests ?? 0) : 0 })
  return (
    <>
      {mine && <Place date={date} mine={mine} isPending={isPending} onTake={() => choose('yes')} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div className="event-answers" role="group" aria-label={label}>
        {answers.map((answer) => (
          <AnswerButton
            key={answer}
            answer={answer}
            count={isFirst ? date.counts[answer] : null}
            isChosen={chosen === answer}
            isDisabled={answer === 'yes' && date.is_closed && mine?.answer !== 'yes'}
            onPress={() => choose(answer)}
          />
        ))}
      </div>
      {mine && !wanted && (
        <Details
          key={`${mine.answer} ${mine.note} ${mine.guests}`}
          date={date}
          mine={mine}
          isPending={isPending}
          onSave={(said) => send({ answer: mine.answer, ...said })}
        />
      )}
    </>
  )
}

interface ButtonProps {
  answer: Answer
  /** Null shows none. */
  count: number | null
  isChosen: boolean
  isDisabled: boolean
  onPress: () => void
}

function AnswerButton({ answer, count, isChosen, isDisabled, onPress }: ButtonProps) {
  const t = useText(eventText)
  return (
    <button type="button" aria-pressed={isChosen} disabled={isDisabled} onClick={onPress}>
      <Icon icon={icons[answer]} size="s" />
      <span>{t[answer]}</span>
      {count !== null && <span className="count">{count}</span>}
    </button>
  )
}

interface PlaceProps {
  date: EventDate
  mine: MyAnswer
  isPending: boolean
  onTake: () => void
}

/** Whether the member waits for a place, or may take one. */
function Place({ date, mine: { position, offered_until }, isPending, onTake }: PlaceProps) {
  const t = useText(eventText)
  const lang = useLang()
  if (offered_until !== undefined)
    return (
      <Notice kind="warning">
        {t.offered(dates.dayAndClock(offered_until, lang))}{' '}
        <Button small kind="primary" pending={isPending} onClick={onTake}>
          {t.take}
        </Button>
      </Notice>
    )
  if (position === undefined) return null
  return <Notice kind="warning">{date.is_closed ? t.waitsClosed(position) : t.waits(position)}</Notice>
}

interface DetailsProps {
  date: EventDate
  mine: MyAnswer
  isPending: boolean
  onSave: (said: { note: string | null; guests: number }) => void
}

/** The note, and how many come with the person. Folded while there is neither. */
function Details({ date: { max_guests }, mine, isPending, onSave }: DetailsProps) {
  const t = useText(eventText)
  const [note, setNote] = useState(mine.note ?? '')
  const [guests, setGuests] = useState(mine.guests)
  const isChanged = note.trim() !== (mine.note ?? '') || guests !== mine.guests
  return (
    <form
      className="answer-more"
      onSubmit={(event) => {
        event.preventDefault()
        onSave({ note: note.trim() || null, guests })
      }}
    >
      {max_guests > 0 && mine.answer === 'yes' && (
        <Guests value={guests} most={max_guests} onChange={setGuests} />
      )}
      <Field
        label={t.note}
        value={note}
        dir="auto"
        maxLength={MAX_NOTE}
        onChange={(event) => setNote(event.target.value)}
      />
      {(isChanged || isPending) && (
        <Button type="submit" pending={isPending}>
          {t.save}
        </Button>
      )}
    </form>
  )
}

interface GuestsProps {
  value: number
  most: number
  onChange: (value: number) => void
}

function Guests({ value, most, onChange }: GuestsProps) {
  const t = useText(eventText)
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className="event-guests" role="group" aria-labelledby={id}>
      <span id={id}>{t.guests}</span>
      <Button
        iconOnly
        icon={Minus}
        label={t.fewer}
        disabled={value === 0}
        onClick={() => onChange(value - 1)}
      />
      <output>+{value}</output>
      <Button
        iconOnly
        icon={Plus}
        label={t.another}
        disabled={value >= most}
        onClick={() => onChange(value + 1)}
      />
    </div>
  )
}
