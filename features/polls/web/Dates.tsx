import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { type Answer, type Poll, pollEndpoints } from '../contract.ts'
import { AnswerButtons } from './AnswerButtons.tsx'
import { dateLabel } from './date-label.ts'
import type { PollProps } from './poll-props.ts'
import { pollText } from './text.ts'
import { usePollChange } from './usePollChange.ts'

type Option = Poll['options'][number]

/** As people say it: yes counts most, and a maybe more than a no. */
const score = ({ counts }: Option) => (counts ? counts.yes * 1000 + counts.maybe : 0)
const inTime = (a: Option, b: Option) => `${a.day} ${a.time ?? ''}`.localeCompare(`${b.day} ${b.time ?? ''}`)

/** In the order of the calendar; the best first when nobody can answer any more. */
export function Dates({ poll, onChange, isOpen }: PollProps) {
  const t = useText(pollText)
  const lang = useLang()
  const { id, options, mine, ended_at } = poll
  const { change } = usePollChange({ poll, onChange })
  const [wanted, setWanted] = useState<ReadonlyMap<number, Answer> | null>(null)
  const stored = new Map(mine?.answers.map(({ option, answer }) => [option, answer]))
  const chosen = wanted ?? stored
  const best = Math.max(1000, ...options.map(score))
  const sorted = options.toSorted((a, b) => (ended_at === null ? 0 : score(b) - score(a)) || inTime(a, b))
  const choose = async (option: number, answer: Answer) => {
    const next = new Map(chosen).set(option, answer)
    setWanted(next)
    const answers = [...next].map(([one, said]) => ({ option: one, answer: said }))
    await change(() => callEndpoint(pollEndpoints.vote, { id, answers, note: mine?.note ?? null }))
    setWanted(null)
  }
  return (
    <ul className="days">
      {sorted.map((option) => (
        <li key={option.id} data-best={score(option) === best || undefined}>
          <p>
            {dateLabel(option, lang)}
            {score(option) === best && <span className="best">{t.best}</span>}
          </p>
          <AnswerButtons
            label={dateLabel(option, lang)}
            counts={option.counts}
            chosen={chosen.get(option.id)}
            onChoose={isOpen ? (answer) => void choose(option.id, answer) : undefined}
          />
        </li>
      ))}
    </ul>
  )
}
