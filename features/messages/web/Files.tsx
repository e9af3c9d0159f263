import '#features/posts/web/files.css'
import { type ComponentProps, Suspense, useEffect, useState } from 'react'
import type { VoiceDetails } from '#core/media/file-schemas.ts'
import type { AttachedFile } from '#features/posts/contract.ts'
import { FileRow, UnsentFile } from '#features/posts/web/Files.tsx'
import type { PickedPicture } from '#features/posts/web/prepare-pictures.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { pauseOtherSounds } from '#web/pause-sounds.ts'

// Loaded with the first message that has files, or with the message box.

export { FilePickerButton, PickedFiles } from '#features/posts/web/Files.tsx'
export { pickFiles } from '#features/posts/web/pick-files.ts'
export { appendFiles } from '#features/posts/web/previews.ts'

const Player = lazyWithRetry(() => import('#features/voice/web/Player.tsx'))

/** A click saves a file; a PDF opens in the browser's viewer, and a second link saves it. */
export default function Files({ files }: { files: readonly AttachedFile[] }) {
  return (
    <ul className="attached-files">
      {files.map((file) => (
        <li key={file.id}>
          {file.voice ? (
            <VoiceMessage src={file.path} {...file.voice} fileName={file.name} />
          ) : (
            <FileRow file={file} opens />
          )}
          {file.kind === 'audio' && <Sound src={file.path} name={file.name} />}
        </li>
      ))}
    </ul>
  )
}

const Sound = ({ src, name }: { src: string; name: string }) => (
  // biome-ignore lint/a11y/useMediaCaption: members send sounds without captions
  <audio
    controls
    preload="none"
    src={src}
    aria-label={name}
    onPlay={(event) => pauseOtherSounds(event.currentTarget)}
  />
)

const VoiceMessage = (props: ComponentProps<typeof Player>) => (
  <span className="file voice">
    <Suspense>
      <Player {...props} />
    </Suspense>
  </span>
)

interface UnsentFilesProps {
  files: readonly PickedPicture[]
  voice: VoiceDetails | undefined
}

export const UnsentFiles = ({ files, voice }: UnsentFilesProps) => (
  <ul className="attached-files">
    {files.map(({ key, file }) => (
      <li key={key}>{voice ? <UnsentVoice file={file} voice={voice} /> : <UnsentFile file={file} />}</li>
    ))}
  </ul>
)

function UnsentVoice({ file, voice }: { file: File; voice: VoiceDetails }) {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  return url && <VoiceMessage src={url} {...voice} />
}
