import { Circle, Triangle, X } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { type Answer, answerKinds, type Poll } from '../contract.ts'
import { pollText } from './text.ts'

const icons = { yes: Circle, maybe: Triangle, no: X }

interface Props {
  /** What the answer is about. */
  label: string
  counts: Poll['options'][number]['counts']
  chosen: Answer | undefined
  /** Undefined if the viewer cannot answer. */
  onChoose: ((answer: Answer) => void) | undefined
}

/** ○ △ ×. */
export function AnswerButtons({ label, counts, chosen, onChoose }: Props) {
  const t = useText(pollText)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className="answers" role="group" aria-label={label}>
      {answerKinds.map((answer) => {
        const content = (
          <>
            <Icon icon={icons[answer]} size="s" />
            <span>{t[answer]}</span>
            {counts && <span className="count">{counts[answer]}</span>}
          </>
        )
        return onChoose ? (
          <button
            key={answer}
            type="button"
            aria-pressed={chosen === answer}
            onClick={() => onChoose(answer)}
          >
            {content}
          </button>
        ) : (
          <span key={answer} data-chosen={chosen === answer || undefined}>
            {content}
          </span>
        )
      })}
    </div>
  )
}
