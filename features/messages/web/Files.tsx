import './files.css'
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
import type { AttachedFile, FileKind, VoiceDetails } from '#core/media/file-schemas.ts'
import { extensionOf, fileTypes } from '#core/media/file-types.ts'
import { formatBytes } from '#core/text/format-bytes.ts'
import type { PickedPicture } from '#features/posts/web/prepare-pictures.ts'
import { pauseOtherSounds } from '#features/voice/web/pause-sounds.ts'
import { Dot, useLang, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { MAX_FILES } from '../contract.ts'
import { checkFiles } from './check-files.ts'
import { messageFilesText } from './menu-text.ts'

// Loaded with the first message that has files, or with the message box.

const Player = lazyWithRetry(() => import('#features/voice/web/Player.tsx'))

const icons: Record<FileKind, LucideIcon> = {
  pdf: FileText,
  document: FileText,
  spreadsheet: FileSpreadsheet,
  presentation: Presentation,
  text: FileIcon,
  audio: FileAudio,
  archive: FileArchive,
  voice: FileAudio,
}

const kindOf = (name: string) => fileTypes[extensionOf(name)]?.kind ?? 'text'

function FileSummary({ name, size, kind }: Pick<AttachedFile, 'name' | 'size' | 'kind'>) {
  const t = useText(messageFilesText)
  const lang = useLang()
  return (
    <>
      <Icon icon={icons[kind]} />
      <span className="text">
        <bdi className="name">{name}</bdi>
        <span className="text-meta">
          {t.kinds[kind]}
          <Dot />
          {formatBytes(size, lang)}
        </span>
      </span>
    </>
  )
}

/** A click saves a file; a PDF opens in the browser's viewer, and a second link saves it. */
export default function Files({ files }: { files: readonly AttachedFile[] }) {
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
  files: readonly PickedPicture[]
  onChange: (files: PickedPicture[]) => void
  /** Moves the focus, because the button that had it is gone. */
  onEmpty: () => void
}

export function PickedFiles({ files, onChange, onEmpty }: PickedFilesProps) {
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

const accept = Object.keys(fileTypes)
  .map((extension) => `.${extension}`)
  .join(',')

export function FilePickerButton({
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
  const isDisabled = disabled || count >= MAX_FILES
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Otherwise choosing the same file again would fire no event.
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

export const pickFiles = (files: readonly File[], existingCount: number, lang: Language) =>
  checkFiles(files, existingCount, messageFilesText[lang])
