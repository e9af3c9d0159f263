import { useText } from '#web/i18n.ts'
import { postComposerText } from './composer-text.ts'

/** `count` is negative if the text is too long. */
export const CharactersLeft = ({ count, id }: { count: number; id?: string }) => {
  const spoken = useText(postComposerText).charactersLeft(count)
  return (
    <span className="count" id={id} data-over={count < 0 || undefined}>
      <span aria-hidden="true">{count < 0 ? spoken : count}</span>
      <span className="visually-hidden">{spoken}</span>
    </span>
  )
}
