/** Fields with their labels. */
import type { ComponentChildren } from 'preact';

export function Labelled({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <label>
      {label}
      {children}
    </label>
  );
}

interface TextParts {
  readonly label: string;
  readonly value: string;
  readonly type: (value: string) => void;
  readonly required?: boolean;
}

export function TextField({ label, value, type, required = false }: TextParts) {
  return (
    <Labelled label={label}>
      <input
        value={value}
        required={required}
        onInput={({ currentTarget }) => {
          type(currentTarget.value);
        }}
      />
    </Labelled>
  );
}

export function SearchField({ label, value, type }: Omit<TextParts, 'required'>) {
  return (
    <Labelled label={label}>
      <input
        type="search"
        value={value}
        onInput={({ currentTarget }) => {
          type(currentTarget.value);
        }}
      />
    </Labelled>
  );
}

/** A whole number from 1 on. */
export function NumberField({
  label,
  value,
  most,
  type,
}: Omit<TextParts, 'required'> & { readonly most: number }) {
  return (
    <Labelled label={label}>
      <input
        type="number"
        inputMode="numeric"
        min={1}
        max={most}
        step={1}
        required
        value={value}
        onInput={({ currentTarget }) => {
          type(currentTarget.value);
        }}
      />
    </Labelled>
  );
}

/** An instant in the viewer's zone; an empty text is none. */
export function InstantField({ label, value, type }: Omit<TextParts, 'required'>) {
  return (
    <Labelled label={label}>
      <input
        type="datetime-local"
        step="1"
        value={value}
        onInput={({ currentTarget }) => {
          type(currentTarget.value);
        }}
      />
    </Labelled>
  );
}

export function Choice<T extends string>({
  label,
  value,
  options,
  choose,
  name = (option) => option,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly T[];
  readonly choose: (option: string) => void;
  readonly name?: (option: T) => string;
}) {
  return (
    <Labelled label={label}>
      <select
        value={value}
        onChange={({ currentTarget }) => {
          choose(currentTarget.value);
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {name(option)}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
