import { Popover, TextInput } from '@mantine/core';
import {
  type ComponentType,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import css from './search-list.module.css';

export interface SearchOption {
  key: string;
  label: string;
  hint?: string;
  icon?: ComponentType<{ size?: number; stroke?: number }>;
  take: () => void;
}

export const matchesTypedText = (label: string, typed: string): boolean =>
  label.toLowerCase().includes(typed.trim().toLowerCase());

/**
 * A list opens at the top of the page and then moves to its button. Therefore, focusing the list must not scroll the
 * page.
 */
const focusWithoutScrolling = (field: HTMLInputElement | null) => field?.focus({ preventScroll: true });

export function SearchList(props: {
  label: string;
  placeholder?: string;
  typed: string;
  onTyped: (typed: string) => void;
  options: SearchOption[];
  /** Explains why there are no options. */
  note?: ReactNode;
}) {
  const { options, typed } = props;
  const id = useId();
  const [selected, setSelected] = useState(0);
  const selectedIndex = Math.min(selected, options.length - 1);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key !== 'Enter' && !step) return;
    event.preventDefault();
    if (!step) return options[selectedIndex]?.take();
    const next = (selectedIndex + step + options.length) % Math.max(options.length, 1);
    setSelected(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <TextInput
        ref={focusWithoutScrolling}
        data-autofocus
        size="sm"
        role="combobox"
        aria-label={props.label}
        aria-autocomplete="list"
        aria-controls={id}
        aria-expanded={options.length > 0}
        aria-activedescendant={options[selectedIndex] && `${id}-${selectedIndex}`}
        autoComplete="off"
        maxLength={200}
        placeholder={props.placeholder}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          props.onTyped(value);
          setSelected(0);
          list.current?.scrollTo(0, 0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={id} aria-label="Results" className={css.options} ref={list}>
        {options.map(({ key, label, hint, icon: Icon, take }, index) => (
          <button
            type="button"
            role="option"
            tabIndex={-1}
            key={key}
            id={`${id}-${index}`}
            aria-selected={index === selectedIndex}
            onClick={take}
          >
            {Icon && <Icon size={17} stroke={1.75} />}
            <span>{label}</span>
            {hint && <span>{hint}</span>}
          </button>
        ))}
      </div>
      {options.length === 0 && props.note && <p className={css.note}>{props.note}</p>}
    </>
  );
}

const setListHeight = ({
  availableHeight,
  elements,
}: {
  availableHeight: number;
  elements: { floating: HTMLElement };
}) => {
  elements.floating.style.maxHeight = `${availableHeight}px`;
};

export function useSearchMenu(onClose?: () => void) {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const setMenuOpen = (isOpen: boolean) => {
    setOpened(isOpen);
    setTyped('');
    if (!isOpen) onClose?.();
  };
  return { opened, change: setMenuOpen, typed, setTyped };
}

/** While the list is open, the page is inert. Escape and Tab close the list. */
export function SearchMenu(props: {
  menu: ReturnType<typeof useSearchMenu>;
  button: ReactElement<{ onClick: () => void }>;
  label: string;
  placeholder?: string;
  options: (SearchOption & { staysOpen?: boolean })[];
  note?: ReactNode;
  /** More controls below the list. Tab then moves to these controls instead of closing the list. */
  footer?: (close: () => void) => ReactNode;
}) {
  const { menu, options, button, footer, ...list } = props;
  const target = useRef<HTMLElement>(null);
  const close = () => {
    flushSync(() => menu.change(false)); // the button can take the focus only when the page is no longer inert
    target.current?.focus();
  };
  useLayoutEffect(() => {
    const page = document.querySelector<HTMLElement>('#root')!;
    page.inert = menu.opened;
    return () => {
      page.inert = false;
    };
  }, [menu.opened]);
  return (
    <Popover
      position="bottom-start"
      opened={menu.opened}
      onChange={menu.change}
      width={280}
      shadow="md"
      closeOnEscape={false}
      middlewares={{ flip: true, shift: true, size: { padding: 8, apply: setListHeight } }}
      hideDetached={false} // the button can move out of view while the app draws the chart above it
      transitionProps={{ duration: 0 }} // without a transition, the field receives the next typed letter
    >
      <Popover.Target ref={target}>{cloneElement(button, { onClick: () => menu.change(!menu.opened) })}</Popover.Target>
      <Popover.Dropdown
        className={css.menu}
        aria-modal
        onKeyDown={({ key }) => {
          if (key === 'Escape' || (key === 'Tab' && !footer)) close();
        }}
      >
        <SearchList
          key={list.label}
          {...list}
          typed={menu.typed}
          onTyped={menu.setTyped}
          options={options.map(({ take, staysOpen, ...option }) => ({
            ...option,
            take: () => {
              if (!staysOpen) close();
              take();
            },
          }))}
        />
        {footer?.(close)}
      </Popover.Dropdown>
    </Popover>
  );
}
