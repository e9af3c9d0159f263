import { type ComponentType, useEffect, useState } from 'react'
import type { FeatureWebModule } from '#web/web-modules.ts'

type Completion = ComponentType<{ field: HTMLTextAreaElement }>

/**
 * Loads the code of the list of people to mention when the member first types `@` into a text area with the
 * attribute `data-mentions`, and then renders the list. The value of the attribute is empty, or has the
 * parameters of `GET /api/mention-candidates`, such as `group=5`.
 */
function MentionTrigger() {
  const [field, setField] = useState<HTMLTextAreaElement>()
  const [loaded, setLoaded] = useState<{ Completion: Completion }>()
  useEffect(() => {
    const onInput = ({ target }: Event) => {
      if (!(target instanceof HTMLTextAreaElement && 'mentions' in target.dataset)) return
      if (!/[@＠]/.test(target.value)) return
      setField(target)
      // Ignores a failed download, because the next typed letter starts the download again.
      import('./MentionCompletion.tsx').then(
        ({ MentionCompletion }) => setLoaded({ Completion: MentionCompletion }),
        () => {},
      )
    }
    document.addEventListener('input', onInput)
    return () => document.removeEventListener('input', onInput)
  }, [])
  return field && loaded ? <loaded.Completion field={field} /> : null
}

export default { name: 'mentions', Overlay: MentionTrigger } satisfies FeatureWebModule
