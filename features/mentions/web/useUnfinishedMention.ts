import { useEffect, useState } from 'react'
import { findUnfinished, type UnfinishedMention } from './unfinished-mention.ts'

/**
 * Updated after each letter, also while an input method is composing, and each movement of the cursor.
 * `dismiss` makes it null until the cursor has left that mention.
 */
export function useUnfinishedMention(field: HTMLTextAreaElement) {
  const [mention, setMention] = useState<UnfinishedMention | null>(null)
  const [dismissed, setDismissed] = useState<number>()
  useEffect(() => {
    const update = () => {
      const isWriting = document.activeElement === field && !field.readOnly
      const next = isWriting ? findUnfinished(field) : null
      setMention((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next))
      if (!next) setDismissed(undefined)
    }
    const controller = new AbortController()
    const { signal } = controller
    update()
    field.addEventListener('input', update, { signal })
    field.addEventListener('blur', update, { signal })
    document.addEventListener('selectionchange', update, { signal })
    return () => controller.abort()
  }, [field])
  return {
    mention: mention && mention.start !== dismissed ? mention : null,
    dismiss: () => setDismissed(mention?.start),
  }
}
