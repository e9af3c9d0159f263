import { ImagePlus } from 'lucide-react'
import { type ChangeEvent, type Ref, useId } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { MOST_IMAGES } from '../contract.ts'
import { composerText } from './composer-text.ts'
import { LeftCount } from './Descriptions.tsx'

interface ToolsProps {
  picker: Ref<HTMLInputElement>
  /** Number of pictures chosen so far. */
  count: number
  /** Number of letters that may still be written. */
  left: number
  leftId: string
  sending: boolean
  ready: boolean
  onPick: (files: readonly File[]) => void
}

/** The row below the text: the picture picker, the number of letters left, and the Post button. */
export function ComposerTools({ picker, count, left, leftId, sending, ready, onPick }: ToolsProps) {
  const t = useText(composerText)
  const id = useId()
  const shut = sending || count === MOST_IMAGES
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Without this, choosing the same file again would send no event.
    target.value = ''
    onPick(files)
  }
  return (
    <div className="tools">
      <input
        ref={picker}
        id={id}
        className="hide"
        type="file"
        accept="image/*"
        multiple
        aria-label={t.addPictures}
        disabled={shut}
        onChange={pick}
      />
      <label className="button bare" htmlFor={id} aria-disabled={shut || undefined}>
        <Icon of={ImagePlus} />
        <span className="wide-only">{t.addPictures}</span>
      </label>
      {count > 0 && (
        <span className="meta">
          <span aria-hidden="true">{t.picturesOf(count, MOST_IMAGES)}</span>
          <span className="hide">{t.picturesOfSpoken(count, MOST_IMAGES)}</span>
        </span>
      )}
      <LeftCount id={leftId} left={left} />
      <Button kind="primary" type="submit" pending={sending} disabled={!ready && !sending}>
        {t.post}
      </Button>
    </div>
  )
}
