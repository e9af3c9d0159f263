import './message-files.css'
import {
  Download,
  FileArchive,
  FileAudio,
  File as FileIcon,
  FileSpreadsheet,
  FileText,
  Paperclip,
  Presentation,
  X,
} from 'lucide-react'
import {
  type ChangeEvent,
  type ComponentProps,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { Language } from '#core/contract.ts'
import { formatBytes } from '#core/format-bytes.ts'
import type { AttachedFile, NonPictureFileKind, VoiceDetails } from '#core/stored-file-contract.ts'
import { allowedNonPictureFileTypesByExtension, getFileExtension } from '#core/stored-file-extensions.ts'
import type { PickedPictureFileAndDescription } from '#features/posts/web/prepare-pictures.ts'
import { useLang, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { MAX_NON_PICTURE_FILES_PER_MESSAGE } from '../contract.ts'
import { pickSendableMessageFiles } from './check-files.ts'
import { messageFilesText } from './message-files-text.ts'
import { pauseOtherSounds } from './pause-sounds.ts'

// The components of this file show the files of messages, and of the message that is being written. The
// browser loads this code when it shows a message with files, or the message box.

const VoicePlayer = lazyWithRetry(() => import('./VoicePlayer.tsx'))

const icons: Record<NonPictureFileKind, LucideIcon> = {
  pdf: FileText,
  document: FileText,
  spreadsheet: FileSpreadsheet,
  presentation: Presentation,
  text: FileIcon,
  audio: FileAudio,
  archive: FileArchive,
  voice: FileAudio,
}

/** Formats the size of a file as text, such as “12 kB” or “4.1 MB”. */
function formatFileSize(bytes: number, lang: Language) {
  if (bytes >= 1e6) return formatBytes(bytes, lang)
  const kilobytes = Math.max(1, Math.round(bytes / 1000))
  return new Intl.NumberFormat(lang, { style: 'unit', unit: 'kilobyte', unitDisplay: 'short' }).format(
    kilobytes,
  )
}

const kindOf = (name: string) => allowedNonPictureFileTypesByExtension[getFileExtension(name)]?.kind ?? 'text'

/** Renders the icon, the name and the size of a file. */
function FileSummary({ name, size, kind }: Pick<AttachedFile, 'name' | 'size' | 'kind'>) {
  const t = useText(messageFilesText)
  const lang = useLang()
  return (
    <>
      <Icon icon={icons[kind]} />
      <span className="text">
        <bdi className="name">{name}</bdi>
        <span className="text-meta">
          {t.kinds[kind]} · {formatFileSize(size, lang)}
        </span>
      </span>
    </>
  )
}

/**
 * Renders the files of a message. A click on a file saves it; a PDF opens in the browser's viewer, and a
 * second link saves it. Voice messages and audio files have a player.
 */
export default function MessageFiles({ files }: { files: readonly AttachedFile[] }) {
  const t = useText(messageFilesText)
  return (
    <ul className="message-files">
      {files.map(({ id, path, name, size, kind, voice }) =>
        voice ? (
          <li key={id}>
            <VoiceMessage src={path} {...voice} fileName={name} />
          </li>
        ) : (
          <li key={id}>
            <span className="file">
              {kind === 'pdf' ? (
                <a href={`${path}/view`} target="_blank" rel="noopener" title={t.open(name)}>
                  <FileSummary name={name} size={size} kind={kind} />
                </a>
              ) : (
                <a href={path} download={name} title={t.download(name)}>
                  <FileSummary name={name} size={size} kind={kind} />
                </a>
              )}
              <a
                className="button ghost icon-only"
                href={path}
                download={name}
                aria-label={t.download(name)}
                title={t.download(name)}
              >
                <Icon icon={Download} />
              </a>
            </span>
            {kind === 'audio' && <Sound src={path} name={name} />}
          </li>
        ),
      )}
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

/** Renders the player of a voice message. */
const VoiceMessage = (props: ComponentProps<typeof VoicePlayer>) => (
  <span className="file voice">
    <Suspense>
      <VoicePlayer {...props} />
    </Suspense>
  </span>
)

interface UnsentFilesProps {
  files: readonly PickedPictureFileAndDescription[]
  voice: VoiceDetails | undefined
}

/** Renders the files of a message that is being sent, or could not be sent. */
export const UnsentMessageFiles = ({ files, voice }: UnsentFilesProps) => (
  <ul className="message-files">
    {files.map(({ key, file }) => (
      <li key={key}>
        {voice ? (
          <UnsentVoice file={file} voice={voice} />
        ) : (
          <span className="file">
            <FileSummary name={file.name} size={file.size} kind={kindOf(file.name)} />
          </span>
        )}
      </li>
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

interface PickedFilesProps {
  files: readonly PickedPictureFileAndDescription[]
  onChange: (files: PickedPictureFileAndDescription[]) => void
  /**
   * Called after the user has removed the last file, to move the focus, because the button that had the focus
   * is gone.
   */
  onEmpty: () => void
}

/** Renders the files that are chosen for the message that is being written, with buttons that remove them. */
export function PickedMessageFiles({ files, onChange, onEmpty }: PickedFilesProps) {
  const t = useText(messageFilesText)
  const list = useRef<HTMLUListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const remove = (index: number) => {
    flushSync(() => onChange(files.toSpliced(index, 1)))
    setAnnouncement(t.removed)
    if (files.length === 1) onEmpty()
    else focusButton(list, Math.min(index, files.length - 2))
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {files.length > 0 && (
        <ul className="message-files picked" ref={list} aria-label={t.chosenFiles}>
          {files.map(({ key, file }, index) => (
            <li key={key}>
              <span className="file">
                <FileSummary name={file.name} size={file.size} kind={kindOf(file.name)} />
                <button
                  type="button"
                  className="button ghost icon-only"
                  aria-label={t.remove(file.name)}
                  title={t.remove(file.name)}
                  onClick={() => remove(index)}
                >
                  <Icon icon={X} />
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const focusButton = (list: RefObject<HTMLUListElement | null>, index: number) =>
  list.current?.children[index]?.querySelector('button')?.focus()

const accept = Object.keys(allowedNonPictureFileTypesByExtension)
  .map((extension) => `.${extension}`)
  .join(',')

/** Renders a button that opens the browser's file picker for files that are not pictures. */
export function MessageFilePickerButton({
  count,
  disabled,
  onPick,
}: {
  count: number
  disabled: boolean
  onPick: (files: readonly File[]) => void
}) {
  const t = useText(messageFilesText)
  const id = useId()
  const isDisabled = disabled || count >= MAX_NON_PICTURE_FILES_PER_MESSAGE
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Resets the file input, because choosing the same file again would fire no event.
    target.value = ''
    if (files.length) onPick(files)
  }
  return (
    <>
      <input
        id={id}
        className="visually-hidden"
        type="file"
        accept={accept}
        multiple
        aria-label={t.addFiles}
        disabled={isDisabled}
        onChange={pick}
      />
      <label
        className="button ghost icon-only"
        htmlFor={id}
        title={t.addFiles}
        aria-disabled={isDisabled || undefined}
      >
        <Icon icon={Paperclip} />
      </label>
    </>
  )
}

/**
 * Returns those files that can be sent with a message, and warnings for the others in the language `lang`.
 */
export const pickSendableMessageFilesInLanguage = (
  files: readonly File[],
  existingCount: number,
  lang: Language,
) => pickSendableMessageFiles(files, existingCount, messageFilesText[lang])
