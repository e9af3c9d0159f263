import './files.css'
import {
  Download,
  FileArchive,
  FileAudio,
  File as FileIcon,
  FileSpreadsheet,
  FileText,
  FileVideo,
  Paperclip,
  Presentation,
  X,
} from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FileKind } from '#core/media/file-schemas.ts'
import { fileTypes, kindOf } from '#core/media/file-types.ts'
import { formatBytes } from '#core/text/format-bytes.ts'
import { formatDuration } from '#core/text/format-duration.ts'
import { maxVideoMb } from '#web/file-limit.ts'
import { Dot, useLang, useText } from '#web/i18n.ts'
import { pauseOtherSounds } from '#web/pause-sounds.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { type AttachedFile, MAX_FILES } from '../contract.ts'
import { AttachedPictures } from './AttachedPictures.tsx'
import { filesText } from './files-text.ts'
import type { PickedPicture } from './prepare-pictures.ts'

const icons: Record<FileKind, LucideIcon> = {
  pdf: FileText,
  document: FileText,
  spreadsheet: FileSpreadsheet,
  presentation: Presentation,
  text: FileIcon,
  audio: FileAudio,
  video: FileVideo,
  archive: FileArchive,
  voice: FileAudio,
}

function FileSummary({ name, size, kind }: Pick<AttachedFile, 'name' | 'size' | 'kind'>) {
  const t = useText(filesText)
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

interface FileRowProps {
  file: AttachedFile
  /** The browser's viewer shows a PDF. Otherwise a click saves it, as every other file. */
  opens?: boolean
}

/** With the first page of a PDF above it. */
export function FileRow({ file, opens = false }: FileRowProps) {
  const t = useText(filesText)
  const { path, name, kind, preview } = file
  return (
    <>
      {kind === 'video' && <Video {...file} />}
      {kind === 'pdf' && preview && (
        <div className="file-preview">
          <AttachedPictures
            images={[{ ...preview, alt: t.firstPage(name) }]}
            isAboveFold={false}
            width={PREVIEW_WIDTH}
          />
        </div>
      )}
      <span className="file">
        {opens && kind === 'pdf' ? (
          <a href={`${path}/view`} target="_blank" rel="noopener" title={t.open(name)}>
            <FileSummary {...file} />
          </a>
        ) : (
          <a href={path} download={name} title={t.download(name)}>
            <FileSummary {...file} />
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
    </>
  )
}

/** Loads nothing but its picture before a member plays it. */
function Video({ path, name, preview, duration }: AttachedFile) {
  const t = useText(filesText)
  const [state, setState] = useState<'new' | 'played' | 'failed'>('new')
  return (
    <div className="video">
      {/* biome-ignore lint/a11y/useMediaCaption: members send videos without captions */}
      <video
        controls
        playsInline
        preload={preview ? 'none' : 'metadata'}
        poster={preview?.full}
        width={preview?.width}
        height={preview?.height}
        src={path}
        aria-label={name}
        onPlay={(event) => {
          pauseOtherSounds(event.currentTarget)
          setState('played')
        }}
        onError={() => setState('failed')}
      />
      {duration !== undefined && state === 'new' && (
        <span className="duration">{formatDuration(duration)}</span>
      )}
      {state === 'failed' && <p className="text-meta">{t.cannotPlay}</p>}
    </div>
  )
}

/** In pixels, as in files.css. */
const PREVIEW_WIDTH = 320

/** Of a post or reply. */
export default function Files({ files }: { files: readonly AttachedFile[] }) {
  return (
    <ul className="attached-files" aria-label={useText(filesText).files}>
      {files.map((file) => (
        <li key={file.id}>
          <FileRow file={file} />
        </li>
      ))}
    </ul>
  )
}

export const UnsentFile = ({ file }: { file: File }) => (
  <span className="file">
    <FileSummary name={file.name} size={file.size} kind={kindOf(file.name) ?? 'text'} />
  </span>
)

interface PickedFilesProps {
  files: readonly PickedPicture[]
  disabled?: boolean
  onChange: (files: PickedPicture[]) => void
  /** Moves the focus, because the button that had it is gone. */
  onEmpty: () => void
}

export function PickedFiles({ files, disabled, onChange, onEmpty }: PickedFilesProps) {
  const t = useText(filesText)
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
        <ul className="attached-files picked" ref={list} aria-label={t.chosenFiles}>
          {files.map(({ key, file }, index) => (
            <li key={key}>
              <span className="file">
                <FileSummary name={file.name} size={file.size} kind={kindOf(file.name) ?? 'text'} />
                <button
                  type="button"
                  className="button ghost icon-only"
                  disabled={disabled}
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

// Phones show their gallery for a type only, and some know no type of an extension.
const accept = [
  ...(maxVideoMb ? ['video/*'] : []),
  ...Object.keys(fileTypes).map((extension) => `.${extension}`),
].join(',')

interface FilePickerProps {
  /** The number of files that have been chosen. */
  count: number
  disabled: boolean
  onPick: (files: readonly File[]) => void
  children?: ReactNode
}

/** Its input is not in the page, so that the form of a post has one file input: that for pictures. */
export function FilePickerButton({ count, disabled, onPick, children }: FilePickerProps) {
  const t = useText(filesText)
  // Otherwise the input could be gone before the files are chosen.
  const input = useRef<HTMLInputElement>(null)
  const choose = () => {
    input.current = Object.assign(document.createElement('input'), { type: 'file', accept, multiple: true })
    input.current.onchange = () => onPick([...(input.current?.files ?? [])])
    input.current.click()
  }
  return (
    <Button
      kind="ghost"
      icon={Paperclip}
      iconOnly={!children}
      label={t.addFiles}
      title={children ? undefined : t.addFiles}
      disabled={disabled || count >= MAX_FILES}
      onClick={choose}
    >
      {children}
    </Button>
  )
}
