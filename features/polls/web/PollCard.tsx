import './polls.css'
import { Check } from 'lucide-react'
import { type CSSProperties, useId, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { type Poll, pollEndpoints } from '../contract.ts'
import { AddChoice } from './AddChoice.tsx'
import { Attendance } from './Attendance.tsx'
import { Dates } from './Dates.tsx'
import { PollFooter } from './PollFooter.tsx'
import type { PollOfContent, PollProps } from './poll-props.ts'
import { pollText } from './text.ts'
import { usePollChange } from './usePollChange.ts'

/** Below the post or message that asks. */
export default function PollCard({ poll, onChange, content }: Omit<PollOfContent, 'isOpen'>) {
  const t = useText(pollText)
  const titleId = useId()
  const isMember = useMe() !== null
  const isOpen = isMember && poll.ended_at === null
  const props = { poll, onChange, isOpen }
  return (
    <section className="poll" aria-labelledby={titleId}>
      <p id={titleId} className={poll.kind === 'choice' ? 'visually-hidden' : 'title'}>
        {t.poll[poll.kind]}
      </p>
      {poll.kind === 'choice' && <Choices {...props} />}
      {poll.kind === 'attendance' && <Attendance {...props} />}
      {poll.kind === 'dates' && <Dates {...props} />}
      <PollFooter {...props} content={content} isMember={isMember} />
    </section>
  )
}

function Choices({ poll, onChange, isOpen }: PollProps) {
  const { id, options, mine, choices, options_from, user_id } = poll
  const me = useMe()
  const { change } = usePollChange({ poll, onChange })
  // What was pressed, until the server has answered.
  const [wanted, setWanted] = useState<readonly number[] | null>(null)
  const chosen = wanted ?? mine?.answers.map(({ option }) => option) ?? []
  const most = Math.max(1, ...options.map(({ counts }) => counts?.yes ?? 0))
  const vote = async (next: number[]) => {
    setWanted(next)
    await change(() =>
      next.length
        ? callEndpoint(pollEndpoints.vote, { id, options: next })
        : callEndpoint(pollEndpoints.withdraw, { id }),
    )
    setWanted(null)
  }
  const press = (option: number) => {
    const others = choices === 'one' ? [] : chosen.filter((one) => one !== option)
    void vote(chosen.includes(option) ? others : [...others, option])
  }
  const mayAdd = options_from === 'all' || user_id === me?.id
  return (
    <>
      <ul className="choices-of-poll">
        {options.map((option) => (
          <li key={option.id}>
            <ChoiceRow
              option={option}
              share={(option.counts?.yes ?? 0) / most}
              isChosen={chosen.includes(option.id)}
              onPress={isOpen ? () => press(option.id) : undefined}
            />
          </li>
        ))}
      </ul>
      {isOpen && mayAdd && <AddChoice poll={poll} onChange={onChange} />}
    </>
  )
}

interface ChoiceProps {
  option: Poll['options'][number]
  /** Of the most chosen option. */
  share: number
  isChosen: boolean
  /** Undefined if the viewer cannot vote. */
  onPress: (() => void) | undefined
}

function ChoiceRow({ option: { text, counts }, share, isChosen, onPress }: ChoiceProps) {
  const t = useText(pollText)
  const content = (
    <>
      <span className="mark" aria-hidden="true">
        {isChosen && <Icon icon={Check} size="s" />}
      </span>
      <span className="text" dir="auto" lang={detectLanguage(text ?? '')}>
        {text}
      </span>
      {counts && (
        <span className="count">
          <span aria-hidden="true">{counts.yes}</span>
          <span className="visually-hidden">{t.votes(counts.yes)}</span>
        </span>
      )}
    </>
  )
  const style = { '--share': share } as CSSProperties
  return onPress ? (
    <button type="button" className="choice" style={style} aria-pressed={isChosen} onClick={onPress}>
      {content}
    </button>
  ) : (
    <div className="choice" style={style} data-chosen={isChosen || undefined}>
      {content}
    </div>
  )
}
