import { Minus, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import {
  type Answer,
  type Answers,
  MAX_GUESTS,
  MAX_NOTE_LENGTH,
  type Poll,
  pollEndpoints,
} from '../contract.ts'
import { AnswerButtons } from './AnswerButtons.tsx'
import type { PollProps } from './poll-props.ts'
import { pollText } from './text.ts'
import { usePollChange } from './usePollChange.ts'

/** The member, and the children for whom the member may answer. */
export function Attendance({ poll, onChange, isOpen }: PollProps) {
  const t = useText(pollText)
  const { children = [] } = poll
  const common = { poll, onChange, isOpen }
  return (
    <>
      <Person {...common} label={t.poll.attendance} answers={poll.mine} counts={poll.options[0]!.counts} />
      {isOpen &&
        children.map(({ child, answers }) => (
          <div key={child.id} className="child-answers">
            <p className="text-meta">{t.forChild(child.name)}</p>
            <Person
              {...common}
              label={t.forChild(child.name)}
              answers={answers}
              counts={null}
              child={child.id}
            />
          </div>
        ))}
    </>
  )
}

interface PersonProps extends PollProps {
  label: string
  answers: Answers | null
  counts: Poll['options'][number]['counts']
  child?: number
}

function Person({ poll, onChange, isOpen, label, answers, counts, child }: PersonProps) {
  const { id, options } = poll
  const { change, isPending } = usePollChange({ poll, onChange })
  const [wanted, setWanted] = useState<Answer | null>(null)
  const answer = wanted ?? answers?.answers[0]?.answer
  const who = child === undefined ? {} : { for: child }
  const send = (chosen: Answer, said: { note: string | null; guests: number }) =>
    change(() =>
      callEndpoint(pollEndpoints.vote, {
        ...{ id, answers: [{ option: options[0]!.id, answer: chosen }] },
        ...said,
        ...who,
      }),
    )
  const choose = async (chosen: Answer) => {
    setWanted(chosen)
    await send(chosen, { note: answers?.note ?? null, guests: answers?.guests ?? 0 })
    setWanted(null)
  }
  return (
    <>
      <AnswerButtons label={label} counts={counts} chosen={answer} onChoose={isOpen ? choose : undefined} />
      {isOpen && answers && answer && (
        <Details
          key={`${answers.note} ${answers.guests}`}
          answers={answers}
          hasGuests={answer === 'yes'}
          isPending={isPending}
          onSave={(said) => send(answer, said)}
        />
      )}
    </>
  )
}

interface DetailsProps {
  answers: Answers
  hasGuests: boolean
  isPending: boolean
  onSave: (said: { note: string | null; guests: number }) => void
}

/** The note, and how many come with the person. */
function Details({ answers, hasGuests, isPending, onSave }: DetailsProps) {
  const t = useText(pollText)
  const [note, setNote] = useState(answers.note ?? '')
  const [guests, setGuests] = useState(answers.guests)
  const isChanged = note.trim() !== (answers.note ?? '') || guests !== answers.guests
  return (
    <form
      className="answer-details"
      onSubmit={(event) => {
        event.preventDefault()
        onSave({ note: note.trim() || null, guests })
      }}
    >
      <Field
        label={t.note}
        value={note}
        maxLength={MAX_NOTE_LENGTH}
        onChange={(event) => setNote(event.target.value)}
      />
      {hasGuests && <Guests value={guests} onChange={setGuests} />}
      <Button type="submit" pending={isPending} disabled={!isChanged && !isPending}>
        {t.save}
      </Button>
    </form>
  )
}

function Guests({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const t = useText(pollText)
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className="guests" role="group" aria-labelledby={id}>
      <span id={id}>{t.guestsLabel}</span>
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
        disabled={value === MAX_GUESTS}
        onClick={() => onChange(value + 1)}
      />
    </div>
  )
}
