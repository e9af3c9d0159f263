import '#features/people/web/account-pages.css'
import { Image } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useSquareCropDialog } from '#features/people/web/useSquareCropDialog.tsx'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePickerButton } from '#web/ui/PicturePickerButton.tsx'
import { communityPictureEndpoints } from '../community-picture-contract.ts'
import { communityPictureText } from './community-picture-text.ts'

/** Uploads the picture of the community. Resolves with the response, whose `picture` is the URL. */
export async function uploadCommunityPicture(file: File) {
  const form = new FormData()
  form.append('image', file)
  return callEndpoint(communityPictureEndpoints.save, {}, { form })
}

interface PickerProps {
  /** The URL of the picture that the picker shows; empty for no picture. */
  url: string
  disabled?: boolean
  onPick: (picture: File) => void
  /** Shown after the button. */
  children?: ReactNode
}

/**
 * Renders the picture of the community, and a button to choose another picture. A dialog then lets the person
 * cut a square out of the chosen picture.
 */
export function CommunityPicturePicker({ url, disabled = false, onPick, children }: PickerProps) {
  const t = useText(communityPictureText)
  const { choose, unreadable, dialog } = useSquareCropDialog(onPick)
  const helpId = useId()
  return (
    <>
      <b className="block-label">{t.picture}</b>
      <span className="hint" id={helpId}>
        {t.pictureHelp}
      </span>
      <div className="cluster">
        {url && <img className="community-picture" src={url} alt={t.chosenPicture} width={48} height={48} />}
        <PicturePickerButton
          label={t.choosePicture}
          describedBy={helpId}
          kind="secondary"
          icon={Image}
          disabled={disabled}
          onPick={([file]) => file && void choose(file)}
        >
          {t.choosePicture}
        </PicturePickerButton>
        {children}
      </div>
      {unreadable && <Notice kind="error">{unreadable}</Notice>}
      {dialog}
    </>
  )
}
