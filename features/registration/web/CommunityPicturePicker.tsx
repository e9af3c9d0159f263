import '#web/ui/form-pages.css'
import { Image } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useCropDialog } from '#features/people/web/useCropDialog.tsx'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { pictureEndpoints } from '../contract.ts'
import { pictureText } from './text.ts'

export async function uploadPicture(file: File) {
  const form = new FormData()
  form.append('image', file)
  return callEndpoint(pictureEndpoints.save, {}, { form })
}

interface Props {
  /** Empty for no picture. */
  url: string
  disabled?: boolean
  onPick: (picture: File) => void
  children?: ReactNode
}

/** A dialog cuts a square out of the chosen picture. */
export function CommunityPicturePicker({ url, disabled = false, onPick, children }: Props) {
  const t = useText(pictureText)
  const { choose, unreadable, dialog } = useCropDialog(onPick)
  const helpId = useId()
  return (
    <>
      <b className="block-label">{t.picture}</b>
      <span className="hint" id={helpId}>
        {t.pictureHelp}
      </span>
      <div className="cluster">
        {url && <img className="community-picture" src={url} alt={t.chosenPicture} width={48} height={48} />}
        <PicturePicker
          label={t.choosePicture}
          describedBy={helpId}
          kind="secondary"
          icon={Image}
          disabled={disabled}
          onPick={([file]) => file && void choose(file)}
        >
          {t.choosePicture}
        </PicturePicker>
        {children}
      </div>
      {unreadable && <Notice kind="error">{unreadable}</Notice>}
      {dialog}
    </>
  )
}
