import { useText } from '#web/i18n.ts'
import { postComposerText } from './composer-text.ts'

/** A larger number is of no interest to a writer. */
const SHOWN_BELOW = 500

/** `count` is negative if the text is too long. */
export const CharactersLeft = ({ count, id }: { count: number; id?: string }) => {
  const spoken = useText(postComposerText).charactersLeft(count)
  return (
    <span className="count" id={id} data-over={count < 0 || undefined}>
      {count < SHOWN_BELOW && (
        <>
          <span aria-hidden="true">{count < 0 ? spoken : count}</span>
          <span className="visually-hidden">{spoken}</span>
        </>
      )}
    </span>
  )
}
