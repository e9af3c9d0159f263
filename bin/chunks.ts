import type { Rolldown } from 'vite'

/** Makes a group take only its own modules, and not those that they import. */
const ownModules = { includeDependenciesRecursively: false }
const chatModules =
  /[\\/]features[\\/](conversations[\\/]web[\\/](text|Mute|Row|lists)|messages[\\/]web[\\/](text|conversation|emoji)|messages[\\/]contract)\.tsx?$/
const postModules =
  /[\\/]features[\\/]posts[\\/]web[\\/]((PostList|PostCard|PostLikeButton|LikeCountButton|LazyShortcuts)\.tsx|(posts?|first-steps)\.css)$/
const postData =
  /[\\/]features[\\/](posts[\\/]web[\\/](post-store|post-queries|pinned-posts)|people[\\/]web[\\/]followed-ids)\.ts$/
const fileModules =
  /[\\/]lucide-react[\\/].*[\\/](file(-\w+)*|paperclip|presentation)\.mjs$|[\\/]features[\\/]posts[\\/]web[\\/](Files\.tsx|files-text\.ts)$/
const accountTexts = /[\\/]features[\\/]account[\\/]web[\\/](second-step-)?text\.ts$/
const composerModules =
  /[\\/]features[\\/]posts[\\/]web[\\/](prepare-pictures|limits|PicturePreview|composer-text|CharactersLeft)\.tsx?$|[\\/]idb-keyval[\\/]/

/**
 * The modules that Vite puts together into one file, because several pages share them: thirty small files
 * compress badly, and each is a request.
 */
export const chunks: Rolldown.CodeSplittingGroup[] = [
  // With its icons, which would otherwise be in `kit`, and so on every page.
  { ...ownModules, name: 'files', test: fileModules },
  { name: 'kit', tags: ['$initial'], test: /\.[mc]?[jt]sx?$/ },
  {
    name: 'kit',
    // Leaves two kinds of modules out of the output file `kit`: those in the web/ folders of the
    // features, because their style sheets would load before web/styles.css, which declares the
    // order of the layers; and those that lists of posts do not need (parts of forms and dialogs,
    // links, and infinite queries).
    test: /^(?!.*nfiniteQuery(Observer)?\.js).*(?<!features[\\/][\w-]+)[\\/](web(?![\\/](links\.|content-loader\.|ui[\\/](choices|form-pages|message-box|messages|RadioGroup|ConfirmDialog|Dialog|Field|PicturePicker|SearchBox|image-files)\.))|lucide-react|@tanstack)[\\/]/,
    minShareCount: 3,
  },
  // Without these groups, a list of posts has seven more files. Chats need only the second.
  { ...ownModules, name: 'posts', test: postModules },
  { ...ownModules, name: 'post-data', test: postData },
  // Three files with small modules that chats need. Without these groups, a chat has seven more files.
  // The modules have no style sheets, for the reason above.
  { ...ownModules, name: 'chat', test: chatModules },
  { ...ownModules, name: 'composer', test: composerModules },
  // Every confirmation with a password needs both texts.
  { ...ownModules, name: 'account-texts', test: accountTexts },
  { ...ownModules, name: 'dialog', test: /[\\/]web[\\/]ui[\\/](Confirm)?Dialog\.tsx$/ },
]
